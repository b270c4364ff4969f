import { aMinute } from '../support/allowances.ts';
import { createHome, type Home } from '../support/home.ts';
import { cleanEnv, DATE, pathToProgram, startCommand } from '../support/run.ts';
import { startSandbox } from '../support/sandbox.ts';
import { commandOnTerminal } from '../terminal/drive.ts';
import { cronCommands } from './blocks.ts';

interface Shown {
  readonly code: number | null;
  /** Standard output and error in the order they came. */
  readonly text: string;
}

/** Every command of a block has to succeed, the last as well as those before it and those in a pipe. */
const STRICT = 'set -eo pipefail\nexec 2>&1\n';

/** Runs a block of README as bash would. */
export async function runBlock(text: string, onTerminal: boolean, user: Home): Promise<Shown> {
  const env = cleanEnv(user, {
    PATH: pathToProgram(user),
    NO_COLOR: '1',
    TERM: 'xterm',
    LANG: 'C.UTF-8',
  });
  if (!onTerminal) return start(['bash', '-c', STRICT + text], user, env);
  const { code, tty } = await commandOnTerminal(['bash', '-c', text], { home: user, env });
  return { code, text: tty };
}

/** Runs the lines of a crontab one after the other as cron does: /bin/sh, a bare environment, the key saved by login. */
export async function runCrontab(crontab: string): Promise<{ command: string; shown: Shown }[]> {
  const user = createHome();
  const sandbox = await startSandbox({ allowances: aMinute(1000), cards: 60 });
  try {
    const env = {
      HOME: user.folder,
      PATH: pathToProgram(user),
      SHELL: '/bin/sh',
      LOGNAME: 'somebody',
      // The sandbox has the date of the tests: to a program of another date its last export would be old.
      ...DATE,
    };
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

async function start(
  command: readonly string[],
  user: Home,
  env: Record<string, string | undefined>,
): Promise<Shown> {
  const running = startCommand(command, { home: user, env, isBare: true });
  running.child.stdin?.end();
  const { code, stdout, stderr } = await running.done;
  return { code, text: stdout + stderr };
}
