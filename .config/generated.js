import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

// Writes completions/: what `screener completion <shell>` prints. A test holds the files against the program.
const root = fileURLToPath(new URL('..', import.meta.url));

for (const [shell, file] of [
  ['bash', 'screener.bash'],
  ['zsh', '_screener'],
  ['fish', 'screener.fish'],
]) {
  const text = execFileSync(process.execPath, [path.join(root, 'bin/screener.js'), 'completion', shell]);
  fs.writeFileSync(path.join(root, 'completions', file), text);
}
