import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { fileURLToPath } from 'node:url';

// Writes completions/ with what `screener completion <shell>` prints; `npm run completions` builds the program first.
const root = fileURLToPath(new URL('..', import.meta.url));

for (const [shell, file] of [
  ['bash', 'screener.bash'],
  ['zsh', '_screener'],
  ['fish', 'screener.fish'],
]) {
  const text = execFileSync(process.execPath, [`${root}bin/screener.js`, 'completion', shell]);
  fs.writeFileSync(`${root}completions/${file}`, text);
}
