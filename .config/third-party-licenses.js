import fs from 'node:fs';
import path from 'node:path';

/**
 * Writes dist/THIRD-PARTY-LICENSES.txt: name, version and licence text of every package whose code went into the
 * bundle, as those licences ask for.
 */
export function thirdPartyLicenses(root) {
  return {
    name: 'third-party-licenses',
    generateBundle(_options, bundle) {
      const folders = new Set();
      for (const chunk of Object.values(bundle)) {
        for (const id of Object.keys(chunk.modules ?? {})) {
          const folder = packageFolder(id);
          if (folder !== undefined) folders.add(folder);
        }
      }
      const texts = [...folders].sort().map((folder) => describe(path.resolve(root, folder)));
      this.emitFile({
        type: 'asset',
        fileName: 'THIRD-PARTY-LICENSES.txt',
        source: texts.join(`\n${'-'.repeat(79)}\n\n`),
      });
    },
  };
}

function packageFolder(id) {
  return /^(?:\0)?(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1];
}

function describe(folder) {
  const manifest = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const file = fs.readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
  const text = file === undefined ? `Licence: ${manifest.license}\n` : fs.readFileSync(path.join(folder, file), 'utf8');
  return `${manifest.name} ${manifest.version} (${manifest.license})\n\n${text.trim()}\n`;
}
