import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

// Writes what is made from the declarations of the commands: completions/ with what `screener completion <shell>`
// prints, man/, and its list in package.json. `npm run generated` builds the program first; tests hold the files against the declarations.
const root = fileURLToPath(new URL('..', import.meta.url));

for (const [shell, file] of [
  ['bash', 'screener.bash'],
  ['zsh', '_screener'],
  ['fish', 'screener.fish'],
]) {
  const text = execFileSync(process.execPath, [path.join(root, 'bin/screener.js'), 'completion', shell]);
  fs.writeFileSync(path.join(root, 'completions', file), text);
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'screener-generated-'));
try {
  const bundle = await rolldown({ cwd: root, input: 'src/cli/man-pages.ts', platform: 'node', tsconfig: false });
  await bundle.write({ dir: folder, format: 'esm', entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' });
  const { manPages } = await import(pathToFileURL(path.join(folder, 'man-pages.mjs')).href);
  const man = path.join(root, 'man');
  fs.rmSync(man, { recursive: true, force: true });
  fs.mkdirSync(man);
  const pages = await manPages();
  for (const [file, text] of pages) fs.writeFileSync(path.join(man, file), text);
  const manifest = path.join(root, 'package.json');
  const listed = {
    ...JSON.parse(fs.readFileSync(manifest, 'utf8')),
    man: [...pages.keys()].sort().map((file) => `man/${file}`),
  };
  fs.writeFileSync(manifest, `${JSON.stringify(listed, null, 2)}\n`);
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}
