import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { aMinute } from '../support/allowances.ts';
import { createHome, type Home } from '../support/home.ts';
import { cleanEnv, programPath, startCommand } from '../support/run.ts';
import { startSandbox } from '../support/sandbox.ts';
import { commandOnTerminal } from '../terminal/drive.ts';
import { cronCommands, type Run } from './blocks.ts';

interface Shown {
  readonly code: number | null;
  /** Standard output and error in the order they came. */
  readonly text: string;
}

/** Every command of a block has to succeed, the last as well as those before it and those in a pipe. */
const STRICT = 'set -eo pipefail\nexec 2>&1\n';

/** A user with `screener` on the PATH, on the first day: no key, no history. */
export function createUser(): Home {
  const home = createHome();
  const bin = path.join(home.folder, 'bin');
  mkdirSync(bin);
  const file = path.join(bin, 'screener');
  writeFileSync(file, `#!/bin/sh\nexec "${process.execPath}" "${programPath()}" "$@"\n`);
  chmodSync(file, 0o755);
  return home;
}

/** Runs a block of README as bash would. */
export async function runBlock(text: string, { terminal }: Run, user: Home): Promise<Shown> {
  const env = cleanEnv(user, { PATH: pathOf(user), NO_COLOR: '1', TERM: 'xterm', LANG: 'C.UTF-8' });
  if (!terminal) return start(['bash', '-c', STRICT + text], user, env);
  const { code, tty } = await commandOnTerminal(['bash', '-c', text], { home: user, env });
  return { code, text: tty };
}

/** Runs the lines of a crontab one after the other as cron does: /bin/sh, a bare environment, the key saved by login. */
export async function runCrontab(crontab: string): Promise<{ command: string; shown: Shown }[]> {
  const user = createUser();
  const sandbox = await startSandbox({ allowances: aMinute(1000), cards: 60 });
  try {
    const env = { HOME: user.folder, PATH: pathOf(user), SHELL: '/bin/sh', LOGNAME: 'somebody' };
    const login = `echo ${sandbox.key} | screener login --base-url ${sandbox.baseUrl}`;
    const results = [];
    for (const command of [login, ...cronCommands(crontab)]) {
      results.push({ command, shown: await start(['/bin/sh', '-c', command], user, env) });
    }
    return results.slice(1);
  } finally {
    await sandbox.close();
    user.remove();
  }
}

function pathOf(user: Home): string {
  return [path.join(user.folder, 'bin'), path.dirname(process.execPath), process.env.PATH].join(path.delimiter);
}

async function start(command: readonly string[], user: Home, env: Record<string, string>): Promise<Shown> {
  const running = startCommand(command, { home: user, env, isBare: true });
  running.child.stdin?.end();
  const { code, stdout, stderr } = await running.done;
  return { code, text: stdout + stderr };
}
