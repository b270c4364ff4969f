import fs from 'node:fs';
import path from 'node:path';
import { matching, plainId } from './matching.js';

const isLlhttp = matching('llhttp of undici', /\/undici\/lib\/llhttp\//);

/** undici carries llhttp as WebAssembly, without its licence. */
const LLHTTP = `llhttp, within undici (MIT)

This software is licensed under the MIT License.

Copyright Fedor Indutny, 2018.

Permission is hereby granted, free of charge, to any person obtaining a
copy of this software and associated documentation files (the
"Software"), to deal in the Software without restriction, including
without limitation the rights to use, copy, modify, merge, publish,
distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the
following conditions:

The above copyright notice and this permission notice shall be included
in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS
OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN
NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM,
DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE
USE OR OTHER DEALINGS IN THE SOFTWARE.
`;

/**
 * Writes dist/THIRD-PARTY-LICENSES.txt: name, version and licence text of every package whose code went into the
 * bundle, as those licences ask for.
 */
export function thirdPartyLicenses(root) {
  return {
    name: 'third-party-licenses',
    generateBundle(_options, bundle) {
      const modules = Object.values(bundle).flatMap((chunk) =>
        Object.keys(chunk.modules ?? {}).map(plainId),
      );
      const texts = bundledPackages(root, modules).map(describe);
      if (modules.some(isLlhttp)) texts.push(LLHTTP);
      this.emitFile({
        type: 'asset',
        fileName: 'THIRD-PARTY-LICENSES.txt',
        source: texts.join(`\n${'-'.repeat(79)}\n\n`),
      });
    },
  };
}

/**
 * The packages among the modules of a bundle, each with its folder and the folders of these modules, which may have a
 * licence of their own. The bundler's own runtime counts too.
 */
export function bundledPackages(root, modules) {
  const packages = new Map();
  for (const id of modules) {
    const file = id.startsWith('\0rolldown/')
      ? 'node_modules/rolldown/dist/index.mjs'
      : id.replace(/^\0/, '');
    const folder = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1];
    if (folder === undefined) continue;
    const place = path.resolve(root, folder);
    const folders = packages.get(place) ?? new Set([place]);
    for (
      let above = path.dirname(path.resolve(root, file));
      above.length > place.length;
      above = path.dirname(above)
    ) {
      folders.add(above);
    }
    packages.set(place, folders);
  }
  return [...packages]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([place, folders]) => ({ place, folders: [...folders].sort() }));
}

function describe({ place, folders }) {
  const { name, version, license } = JSON.parse(
    fs.readFileSync(path.join(place, 'package.json'), 'utf8'),
  );
  const texts = folders.flatMap((folder) =>
    fs
      .readdirSync(folder)
      .filter((entry) => /^(licen[cs]e|notice|copying)([.-]|$)/i.test(entry))
      .map((entry) => fs.readFileSync(path.join(folder, entry), 'utf8').trim()),
  );
  // Without its text a licence that asks for it is not kept: then rather no build.
  if (texts.length === 0) throw new Error(`${name} ${version} has no licence text.`);
  return `${name} ${version} (${license})\n\n${texts.join('\n\n')}\n`;
}
