import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll } from 'vitest';
import { ROOT } from '../package/bundle.ts';
import type { Home } from '../support/home.ts';
import { cleanEnv, programPath } from '../support/run.ts';
import { commandOnTerminal } from '../terminal/drive.ts';

export const SCRIPTS = {
  bash: path.join(ROOT, 'completions', 'screener.bash'),
  zsh: path.join(ROOT, 'completions', '_screener'),
  fish: path.join(ROOT, 'completions', 'screener.fish'),
  powershell: path.join(ROOT, 'completions', 'screener.ps1'),
};
export const SHELLS = Object.keys(SCRIPTS) as (keyof typeof SCRIPTS)[];

export const SEEN = {
  symbol: ['BTCUSDT', 'ETHUSDT', '1000PEPEUSDT'],
  type: ['price_spike', 'Open Interest'],
};

/** What the program answered, by its words, for all shells of a file. */
let answers = '';
beforeAll(() => {
  answers = mkdtempSync(path.join(tmpdir(), 'screener-answers-'));
  return () => rmSync(answers, { recursive: true });
});

/**
 * The folder of a `screener` that asks the built program once for each line of words: to the same words it says the same in
 * every shell, and to start it takes longer than all that a shell does.
 */
function programAskedOnce(home: Home): string {
  const bin = path.join(home.folder, 'bin');
  mkdirSync(bin, { recursive: true });
  const script = `#!/bin/sh
answer=${quoted(answers)}/$(printf '%s\n' "$@" | cksum | tr ' ' -)
if [ ! -e "$answer" ]; then
  ${quoted(process.execPath)} ${quoted(programPath())} "$@" > "$answer.$$" || exit
  mv "$answer.$$" "$answer"
fi
exec cat "$answer"
`;
  writeFileSync(path.join(bin, 'screener'), script, { mode: 0o755 });
  return bin;
}

/** A user whose `screener` answers as the built program does, who has seen some answers and stands in a folder with two others. */
function shellUser(home: Home): { env: Record<string, string>; cwd: string } {
  const cwd = path.join(home.folder, 'work');
  for (const folder of [home.state, path.join(cwd, 'some-signals'), path.join(cwd, 'other')]) {
    mkdirSync(folder, { recursive: true });
  }
  writeFileSync(path.join(cwd, 'page.html'), '');
  writeFileSync(path.join(home.state, 'seen.json'), JSON.stringify(SEEN));
  const shellPath = [programAskedOnce(home), process.env.PATH].join(path.delimiter);
  return {
    env: cleanEnv(home, { PATH: shellPath, LC_ALL: 'C.UTF-8', TERM: 'xterm' }),
    cwd,
  };
}

/** Says the line as it then stands, between signs that the shell's echo of this does not hold. */
const TAB = `tab() { zle expand-or-complete; zle -R; print -rn -- '<''<'$BUFFER'>''>'; BUFFER=; }; zle -N tab; bindkey '\\t' tab`;

/** Types each line and a TAB into zsh on a terminal. @returns the list that it draws, if it does, and the line */
export async function typeIntoZsh(home: Home, setup: string, lines: readonly string[]) {
  const { env, cwd } = shellUser(home);
  const begin = `cd ${quoted(cwd)}; PS1='> '; ${setup}; ${TAB}; echo re''ady\n`;
  const steps = [...lines, 'exit\n'].map((line, i) => ({
    after: i === 0 ? '(?s)ready.*> ' : '<<.*>>',
    send: `${line}\t`,
  }));
  const options = { home, env, columns: 160, steps: [{ after: '', send: begin }, ...steps] };
  const { tty } = await commandOnTerminal(['zsh', '-f', '-i'], options);
  return [...tty.matchAll(/([^>]*)<<(.*?)>>/gs)].map(([, before = '', line = '']) => {
    // A list is drawn below the line, then the cursor goes up.
    const [, list] = /\x1b\[J([^\x1b]*)\x1b\[\d*A/.exec(before) ?? [];
    return { list, line };
  });
}

/** Runs a script in a shell, and gives what it printed, in lines. */
export function runIn(home: Home, command: readonly string[]): string[] {
  const { env, cwd } = shellUser(home);
  const [file = '', ...args] = command;
  return execFileSync(file, args, { env, cwd, encoding: 'utf8' }).split('\n').slice(0, -1);
}

export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
