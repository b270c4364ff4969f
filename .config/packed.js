import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

// `npm pack` packs what is on the disk. So this makes the manual pages, names them in package.json, for npm installs none
// that are not named there, and leaves out of it what only the repository needs; --restore undoes it all.
const root = fileURLToPath(new URL('..', import.meta.url));
const man = path.join(root, 'man');
const manifest = path.join(root, 'package.json');
const whole = path.join(root, '.package.json.whole');

fs.rmSync(man, { recursive: true, force: true });
// Also after a packing that was killed.
if (fs.existsSync(whole)) fs.renameSync(whole, manifest);

if (!process.argv.includes('--restore')) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'screener-man-'));
  try {
    const bundle = await rolldown({
      cwd: root,
      input: './.config/man-pages.ts',
      platform: 'node',
      tsconfig: false,
    });
    // Node 20.18 takes a `.js` outside a package for CommonJS, whatever is in it.
    await bundle.write({
      dir: folder,
      format: 'esm',
      entryFileNames: '[name].mjs',
      chunkFileNames: '[name].mjs',
    });
    const { manPages } = await import(pathToFileURL(path.join(folder, 'man-pages.mjs')).href);
    fs.mkdirSync(man);
    const [, date] =
      /^## \[\d.*\] - (\S+)$/m.exec(fs.readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8')) ?? [];
    const pages = await manPages(date);
    for (const [file, text] of pages) fs.writeFileSync(path.join(man, file), text);
    const {
      scripts: _,
      devDependencies: __,
      ...packed
    } = JSON.parse(fs.readFileSync(manifest, 'utf8'));
    fs.copyFileSync(manifest, whole);
    const named = { ...packed, man: [...pages.keys()].sort().map((file) => `man/${file}`) };
    fs.writeFileSync(manifest, `${JSON.stringify(named, null, 2)}\n`);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}
