import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

// `npm pack` makes the manual pages and names them in package.json, because npm installs none that are not named there;
// with --remove, when the package is packed, both go again: neither is kept in git.
const root = fileURLToPath(new URL('..', import.meta.url));
const man = path.join(root, 'man');
const manifestFile = path.join(root, 'package.json');

const { man: _, ...manifest } = JSON.parse(fs.readFileSync(manifestFile, 'utf8'));
const writeManifest = (content) => fs.writeFileSync(manifestFile, `${JSON.stringify(content, null, 2)}\n`);
fs.rmSync(man, { recursive: true, force: true });

if (process.argv.includes('--remove')) {
  writeManifest(manifest);
} else {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'screener-man-'));
  try {
    const bundle = await rolldown({ cwd: root, input: 'src/cli/man-pages.ts', platform: 'node', tsconfig: false });
    await bundle.write({ dir: folder, format: 'esm', entryFileNames: '[name].mjs' });
    const { manPages } = await import(pathToFileURL(path.join(folder, 'man-pages.mjs')).href);
    fs.mkdirSync(man);
    const pages = await manPages();
    for (const [file, text] of pages) fs.writeFileSync(path.join(man, file), text);
    writeManifest({ ...manifest, man: [...pages.keys()].sort().map((file) => `man/${file}`) });
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}
