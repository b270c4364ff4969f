import { execFileSync } from 'node:child_process';
import fs from 'node:fs';

// Writes completions/ with what `screener completion <shell>` prints; `npm run completions` builds the program first.
const root = new URL('..', import.meta.url).pathname;

for (const [shell, file] of [
  ['bash', 'screener.bash'],
  ['zsh', '_screener'],
  ['fish', 'screener.fish'],
]) {
  const text = execFileSync(process.execPath, [`${root}bin/screener.js`, 'completion', shell]);
  fs.writeFileSync(`${root}completions/${file}`, text);
}
