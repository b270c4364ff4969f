/** The accounts that questions.json asks about, the way that SKILL.md describes, and what is right by its own JSON. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { accountId } from '../../src/config/credentials.ts';
import { loadManifest, saveManifest } from '../../src/history/store/manifest.ts';
import { demoHistory } from '../../src/sandbox/demo-history.ts';
import { demoWorld } from '../../src/sandbox/market/market-world.ts';
import { startSandbox } from '../support/sandbox.ts';
import questions from './questions.json' with { type: 'json' };

export const ACCOUNTS = ['history', 'empty'] as const;
export type Account = (typeof ACCOUNTS)[number];
type Parsed = ReturnType<typeof JSON.parse>;

/** Where a user's files are, and the user's environment. */
interface User {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly folder: string;
}

/** Runs the program with these words as the user, standing in the user's folder. */
export type Runner = (
  words: readonly string[],
  user: User,
) => Promise<{ readonly stdout: string; readonly stderr: string }>;

/** Runs a program as a process. @param program its path */
export const asProcess = (program: string): Runner => {
  return (words, { env, folder }) =>
    promisify(execFile)(process.execPath, [program, ...words], { env, cwd: folder }).catch(
      (error) => error,
    );
};

/** Serves the account, whose history is one of 90 days or not there. @param runAs how its commands are run */
export async function startAccount(kind: Account, runAs: Runner) {
  const now = Date.now();
  const folder = await mkdtemp(path.join(tmpdir(), 'screener-skill-'));
  const atEnd = [() => rm(folder, { recursive: true })];
  const sandbox = await startSandbox(kind === 'history' ? { world: demoWorld(now) } : {});
  const { baseUrl, key } = sandbox;
  sandbox.spend(1000 - questions[kind].left, { today: false });
  const history = kind === 'history' ? await demoHistory(now, atEnd) : path.join(folder, 'none');
  const manifest = await loadManifest(history);
  if (manifest) await saveManifest(history, { ...manifest, account: accountId(baseUrl, key) });
  const places = { SCREENER_CONFIG_DIR: folder, SCREENER_STATE_DIR: path.join(folder, 'state') };
  const env = { ...process.env, ...sandbox.env, SCREENER_HISTORY: history, ...places };
  const run = (words: readonly string[]) => runAs(words, { env, folder });
  await run(['access']);
  await writeFile(path.join(folder, 'picks.txt'), kind === 'history' ? await picksOf(run) : '1\n');
  const close = async () => void (await Promise.all([sandbox.close, ...atEnd].map((end) => end())));
  return { env, folder, run, spent: () => sandbox.quota.month, close };
}

type Run = Awaited<ReturnType<typeof startAccount>>['run'];

/** Ids of the cards that somebody acted on who follows the advice of `tune`, one a line. */
async function picksOf(run: Run): Promise<string> {
  const words = ['signals', 'ls', '--local', '--where', 'oi_change_pct>=3.9', '--ndjson'];
  const { stdout } = await run([...words, '--fields', 'id']);
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => `${JSON.parse(line).id}\n`)
    .join('');
}

/** Walks the numbered commands of SKILL.md. @returns what they print, as one object; lists as `types`, `symbols` and `picks` */
export async function walk(kind: Account, { run }: { readonly run: Run }) {
  const skill = await readFile('skills/screener/SKILL.md', 'utf8');
  const parts = skill
    .split('\n## Without a history\n')
    .map((part) => [...part.matchAll(/^\d\. `screener (.+?)`/gm)]);
  const [all = [], without = []] = parts;
  const commands = kind === 'history' ? all : [...all.slice(0, 1), ...without];
  const facts: Parsed = {};
  let bytes = 0;
  for (const [, line = ''] of commands) {
    const changed = facts.types?.find((type: Parsed) => type.settings_since).group;
    const { stdout, stderr } = await run(
      line
        .replace(/ T\b/, ` ${changed}`)
        .replace(/ N\b/, ' 60')
        .replace(/ FILE\b/, ' picks.txt')
        .split(' '),
    );
    bytes += Buffer.byteLength(stdout + stderr);
    const lines = stdout.trim().split('\n');
    if (!line.includes('--ndjson')) Object.assign(facts, JSON.parse(stdout || '{}'));
    else facts[listOf(line)] = lines.map((item) => JSON.parse(item));
  }
  return { calls: commands.length, bytes, facts };
}

function listOf(line: string): 'types' | 'symbols' | 'picks' {
  if (line.includes('--by symbol')) return 'symbols';
  return line.includes('--picked') ? 'picks' : 'types';
}

/** What a path leads to: `types.verdict=small.group` are the groups of the types with this verdict, `!` those without. */
export function factsAt(facts: Parsed, steps: string): (string | number)[] {
  let values = [facts];
  for (const step of steps.split('.')) {
    const [, key = '', sign, value] = /^(\w+)([=!]?)(.*)$/.exec(step) ?? [];
    const valueIn = (part: Parsed) => part?.[key] ?? part?.horizons?.['24h']?.[key];
    if (sign) {
      const isAsked = (part: Parsed) => (String(valueIn(part)) === value) === (sign === '=');
      values = values.filter(isAsked);
    } else {
      values = values.flatMap((part) => valueIn(part) ?? []);
    }
  }
  return values;
}

/** The questions whose answers lack a mark of the right one. No fact: the answer is that there is none. */
export function wrongOf(
  kind: Account,
  answers: Readonly<Record<string, string>>,
  facts: Parsed,
): string[] {
  const isRight = (mark: string, answer: string) => {
    const [whole = mark, before, steps, after] = /^(.*)\{([a-z].*)\}(.*)$/.exec(mark) ?? [];
    const values =
      steps === undefined
        ? [whole]
        : factsAt(facts, steps).map((value) => before + patternOf(value) + after);
    return (values.length > 0 ? values : ['^.*\\b(no|none|nothing)\\b']).every((pattern) =>
      new RegExp(pattern, 'i').test(answer),
    );
  };
  const marks: Record<string, string[]> & { other?: string[] } = questions[kind].marks;
  const marksOf = (id: string) => marks[id] ?? marks.other ?? [];
  return Object.keys(questions.asks).filter(
    (id) => !marksOf(id).every((mark) => isRight(mark, answers[id]?.trim() ?? '')),
  );
}

/** Numbers may be rounded, times are days. */
function patternOf(value: string | number): string {
  if (typeof value === 'string') return value.replace(/T\d.*/, '');
  const rounded = [Math.abs(value).toFixed(1), Math.abs(value).toFixed(2), Math.abs(value)];
  return Number.isInteger(value) ? `\\b${value}\\b` : `(${rounded.join('|')})`;
}
