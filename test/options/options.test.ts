import { createHash } from 'node:crypto';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { screener } from '../../src/cli/screener.ts';
import { FILTERS, HISTORY_OPTIONS } from '../../src/commands/parts/card-options.ts';
import {
  commandOf,
  commandWords,
  everyPath,
  isAction,
} from '../../src/commands/parts/declaration.ts';
import {
  GLOBAL_OPTIONS,
  HELP_OPTION,
  VERSION_OPTION,
} from '../../src/commands/parts/global-options.ts';
import { flagsOf, type OptionDeclaration } from '../../src/commands/parts/option.ts';
import { WHERE } from '../../src/commands/parts/where.ts';
import { accountId } from '../../src/config/credentials.ts';
import { demoHistory } from '../../src/sandbox/demo-history.ts';
import { createMarketWorld, demoWorld } from '../../src/sandbox/market/market-world.ts';
import { world as plainWorld } from '../report/histories.ts';
import { TestClock } from '../support/context.ts';
import { filesBelow } from '../support/files.ts';
import { keepMonthsFrom, writeCards } from '../support/history.ts';
import { createHome } from '../support/home.ts';
import { NOW, runHere } from '../support/in-process.ts';
import { startSandbox } from '../support/sandbox.ts';
import {
  ASKED_OF_SANDBOX,
  LEAVING_OUT_ALL,
  type Part,
  ROWS,
  type Row,
  SANDBOX_ROWS,
  type SandboxPart,
} from './table.ts';

/**
 * Holds `history` (the demo's), `unasked` (the same without medians of the service), `foreign` (another account's) and
 * `other` (cards alone). Each run gets a copy of the first, and of the others that its line names.
 */
let histories: string;
/** The id of a card that `history` has an outcome of. */
let bought: string;
const atEnd: (() => Promise<void>)[] = [];

beforeAll(async () => {
  const home = createHome();
  atEnd.push(async () => home.remove());
  histories = home.folder;
  const demo = await demoHistory(NOW, atEnd);
  // They are read some two hundred times, and two months have cards enough.
  keepMonthsFrom('2026-10', demo);
  for (const name of ['history', 'unasked', 'foreign'])
    cpSync(demo, path.join(histories, name), { recursive: true });
  rmSync(path.join(histories, 'unasked', 'stats.ndjson'));
  writeCards(path.join(histories, 'other'), plainWorld(20, 6));
  const cards = readFileSync(path.join(demo, 'signals-2026-11.ndjson'), 'utf8').split('\n');
  const card = cards.find((line) => line.includes('"state_24h":"available"')) ?? '{}';
  bought = String(JSON.parse(card).id);
});

afterAll(async () => {
  for (const work of atEnd) await work();
});

type Outcome = Readonly<Record<Part, unknown>> & {
  readonly stdout: string;
  readonly stderr: string;
};

/** It is a function of the time: all runs of the demo's service share what it has made of it. */
const DEMO = demoWorld(NOW);

/** Runs a command line as a user whose default history is the demo's, against the demo's service. */
async function outcomeOf(row: Row, line: readonly string[]): Promise<Outcome> {
  const { before = [], faults = [], cards, creditsAMonth: monthCredits = 1000, how = {} } = row;
  const home = createHome();
  const clock = new TestClock(NOW);
  const timers = timersOf(row.timer);
  const world = cards === undefined ? DEMO : createMarketWorld(2, NOW, { cards });
  const service = await startSandbox({
    ...{ world, faults, monthCredits },
    now: () => clock.now(),
    onRequest: () => timers.end(),
    allowances: { per_minute: 1_000_000 },
  });
  for (const name of historiesOf(row)) {
    const directory = path.join(home.folder, name);
    cpSync(path.join(histories, name), directory, { recursive: true });
    if (name === 'history' || name === 'unasked')
      giveTo(accountId(service.baseUrl, service.key), directory);
  }
  const placed = (text: string) => text.replaceAll('HOME', home.folder).replaceAll('ID', bought);
  const env = {
    PATH: process.env.PATH,
    HOME: home.folder,
    SCREENER_HISTORY: path.join(home.folder, 'history'),
    ...service.env,
    ...Object.fromEntries(
      Object.entries(how.env ?? {}).map(([name, value = '']) => [name, placed(value)]),
    ),
  };
  const run = (words: readonly string[], more: Row['how']) =>
    runHere(words.map(placed), { home, clock, ...more, env });
  for (const earlier of before) await run(earlier.split(' '), { tty: 100 });

  const requestsBefore = service.requests.length;
  const ran = await run(line, how);
  timers.remove();
  const plain = (text: string) =>
    text.replaceAll(home.folder, 'HOME').replaceAll(service.baseUrl, 'SERVICE');
  const outcome = {
    code: ran.code,
    stdout: plain(ran.stdout),
    stderr: plain(ran.stderr),
    requests: service.requests.slice(requestsBefore).map((each) => each.path + each.query),
    files: filesOf(home.folder),
  };
  await service.close();
  home.remove();
  return outcome;
}

/** The timers that are set for so many milliseconds until `remove`. `end` lets them be over, whatever the machine's time is. */
function timersOf(millis: number | undefined) {
  if (millis === undefined) return { end: () => {}, remove: () => {} };
  const waiting = new Set<() => void>();
  const set = globalThis.setTimeout;
  const spy = vi.spyOn(globalThis, 'setTimeout').mockImplementation(((
    work: () => void,
    after?: number,
    ...given: []
  ) => {
    if (after === millis) waiting.add(work);
    return set(work, after, ...given);
  }) as typeof setTimeout);
  return {
    end() {
      for (const work of waiting) work();
      waiting.clear();
    },
    remove: () => spy.mockRestore(),
  };
}

/** What the user of a row has: the default history, and those that its line or its option names. */
function historiesOf({ line, option }: Row): string[] {
  const words = [line, ...option].join(' ');
  return [
    'history',
    ...['unasked', 'foreign', 'other'].filter((name) => words.includes(`~/${name}`)),
  ];
}

/** Makes a history that account's. */
function giveTo(account: string, directory: string): void {
  const file = path.join(directory, 'export.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify({ ...manifest, account }));
}

/** A hash of each of the user's files, without those of the program's own folders and the account's name. */
function filesOf(folder: string): Record<string, string> {
  const apart = ['config', 'state'].map((name) => path.join(folder, name) + path.sep);
  const files = filesBelow(folder).filter((file) => !apart.some((place) => file.startsWith(place)));
  const contentOf = (file: string) =>
    path.basename(file) === 'export.json'
      ? readFileSync(file, 'utf8').replace(/"account": ?"\w*"/, '')
      : readFileSync(file);
  const hashOf = (file: string) => createHash('sha256').update(contentOf(file)).digest('hex');
  return Object.fromEntries(files.map((file) => [path.relative(folder, file), hashOf(file)]));
}

/** The names of the parts that differ. */
function differing<Name extends string>(
  names: readonly Name[],
  one: Readonly<Record<Name, unknown>>,
  other: Readonly<Record<Name, unknown>>,
): Name[] {
  return names.filter((name) => JSON.stringify(one[name]) !== JSON.stringify(other[name]));
}

const PARTS = ['code', 'stdout', 'stderr', 'requests', 'files'] as const;

/** Outcomes of lines without an option, which several options share. */
const bases = new Map<string, Promise<Outcome>>();

function baseOf(row: Row): Promise<Outcome> {
  const { option: _option, changes: _changes, says: _says, why: _why, ...rest } = row;
  const key = JSON.stringify({ ...rest, histories: historiesOf(row) });
  const base = bases.get(key) ?? outcomeOf(row, row.line.split(' '));
  bases.set(key, base);
  return base;
}

it('there is a row for each option of each command, and for no other', () => {
  const longOf = (options: readonly OptionDeclaration[]) =>
    options.map((option) => flagsOf(option).long).sort();
  const actions = everyPath([screener]).map((each) => ({
    command: commandWords(each),
    options: isAction(commandOf(each)) ? longOf(commandOf(each).options ?? []) : [],
  }));
  const declared = [
    { command: '', options: longOf([...GLOBAL_OPTIONS, VERSION_OPTION, HELP_OPTION]) },
    ...actions.filter(({ options }) => options.length > 0),
  ];
  const inTable = Object.entries({ ...ROWS, sandbox: SANDBOX_ROWS }).map(([command, rows]) => ({
    command,
    options: Object.keys(rows).sort(),
  }));
  const sorted = (lists: typeof declared) =>
    lists.toSorted((a, b) => a.command.localeCompare(b.command));
  expect(sorted(inTable), 'ROWS of test/options/table.ts').toEqual(sorted(declared));
});

it('a command that chooses cards by --where takes every other filter, too', () => {
  const filters = FILTERS.map((option) => flagsOf(option).long);
  const missing = everyPath([screener]).map((each) => {
    const longs = (commandOf(each).options ?? []).map((option) => flagsOf(option).long);
    const isChoosing = longs.includes(flagsOf(WHERE).long);
    return {
      command: commandWords(each),
      missing: isChoosing ? filters.filter((long) => !longs.includes(long)) : [],
    };
  });
  expect(missing.filter((each) => each.missing.length > 0)).toEqual([]);
});

describe.concurrent.each(Object.entries(ROWS))('an option of %s', (_, rows) => {
  it.each(Object.entries(rows))('%s changes what its row says', async (flag, row) => {
    const base = await baseOf(row);
    const outcome = await outcomeOf(row, [...row.line.split(' '), ...row.option]);
    const changes = differing(PARTS, base, outcome);
    expect({ flag, changes }, `${row.line}:\n${outcome.stderr}`).toEqual({
      flag,
      changes: row.changes,
    });
    if (changes.length === 0) expect(row.why, `why ${flag} changes nothing`).toBeDefined();
    if (row.says) expect(outcome.stdout + outcome.stderr, flag).toMatch(row.says);
  });
});

/** What the head of an answer in JSON says besides its figures: texts, and lists of texts. */
function textsOf({ stdout }: Outcome): Record<string, unknown> {
  const entries = Object.entries(JSON.parse(stdout) as object);
  const isText = (value: unknown) => value === null || typeof value === 'string';
  const isSaid = ([name, value]: [string, unknown]) =>
    name !== 'generated_at' && (isText(value) || (Array.isArray(value) && value.every(isText)));
  return Object.fromEntries(entries.filter(isSaid));
}

function optionsOf(command: string): readonly OptionDeclaration[] {
  const path = everyPath([screener]).find((each) => commandWords(each) === command);
  if (path === undefined) throw new Error(`no command ${command}`);
  return commandOf(path).options ?? [];
}

const longsOf = (options: readonly OptionDeclaration[]): string[] =>
  options.map((option) => flagsOf(option).long);

/** The options that choose cards by a name that cards have: `tune` takes all of them, and asks a history alone. */
const BY_NAME = longsOf(optionsOf('tune').filter(({ takes }) => takes?.kind === 'seen'));

describe.concurrent.each(BY_NAME)('the name that %s takes', (long) => {
  it.each(['signals ls --local', 'stats --local', 'stats --local --by type', 'tune'])(
    'is told by %s if no card has it',
    async (line) => {
      const option = [long, 'NOSUCHNAME'];
      const { stdout, stderr } = await outcomeOf({ line, option, changes: [] }, [
        ...line.split(' '),
        ...option,
      ]);
      expect(stdout + stderr).toContain('NOSUCHNAME');
    },
  );

  it.each([
    { line: 'stats --local', command: 'stats' },
    { line: 'stats --local --by type', command: 'stats' },
    { line: 'tune', command: 'tune' },
  ])('is said by the page of $line', async ({ line, command }) => {
    const option = ROWS[command]?.[long]?.option ?? [];
    const { stdout } = await outcomeOf({ line, option, changes: [] }, [
      ...line.split(' '),
      ...option,
    ]);
    expect(stdout).toContain(option[1] ?? 'no row');
  });
});

/** A line without and with an option, as the row of that command has it. */
async function withAndWithout(long: string, { line, command }: { line: string; command: string }) {
  const { option } = ROWS[command]?.[long] ?? {};
  if (option === undefined) throw new Error(`no row ${long} of ${command}`);
  const row: Row = { line, option, changes: ['stdout'] };
  const outcome = await outcomeOf(row, [...line.split(' '), ...option]);
  return { base: await baseOf(row), outcome };
}

describe.concurrent.each(longsOf(FILTERS))('%s', (long) => {
  it.each([
    { line: 'tune --json', command: 'tune' },
    { line: 'stats --local --json', command: 'stats' },
  ])('is said by the answer of $line', async ({ line, command }) => {
    const { base, outcome } = await withAndWithout(long, { line, command });
    expect(textsOf(outcome), outcome.stderr).not.toEqual(textsOf(base));
  });
});

describe.concurrent('options that together leave out all cards', () => {
  it('are in a row for each option that chooses cards', () => {
    expect(Object.keys(LEAVING_OUT_ALL).sort()).toEqual(longsOf([...FILTERS, WHERE]).sort());
  });

  const lines = [
    'signals ls --local',
    'stats --local',
    'stats --local --by type',
    'tune',
    'report -',
  ];
  const cases = Object.entries(LEAVING_OUT_ALL).flatMap(([long, { option, says }]) =>
    lines.map((line) => ({ long, line, option, says })),
  );

  it.each(cases)('$long: $line $option is refused, or says so', async ({ line, option, says }) => {
    const row: Row = { line, option, changes: [] };
    const { stdout, stderr } = await outcomeOf(row, [...line.split(' '), ...option]);
    expect(stdout + stderr).toMatch(says);
    // `today` answers another question, and a new card is none of the past.
    const comesLater = /tells you when that changes|has no such cards yet/;
    if (option.includes('--until')) expect(stdout + stderr).not.toMatch(comesLater);
  });
});

describe.concurrent('an option of signals ls', () => {
  /** They say how much is listed, not what: they go with --next, which has the filters of the list before. */
  const OF_AMOUNT = ['--limit', '--all', '--outcomes'];
  /** A history lists every card that it has, with the outcomes that it has. */
  const WITHOUT_EFFECT_ON_HISTORY = ['--all', '--outcomes'];

  const isSaid = (flags: readonly string[] | undefined) => flags?.includes('--local') ?? false;
  const options = optionsOf('signals ls');
  const ofBoth = options.filter(({ needs, excludes }) => !isSaid(needs) && !isSaid(excludes));
  const choosing = longsOf(ofBoth)
    .filter((long) => !longsOf(HISTORY_OPTIONS).includes(long))
    .filter((long) => !WITHOUT_EFFECT_ON_HISTORY.includes(long));

  it.each(choosing)('%s changes the list of the service, and that of a history', async (long) => {
    for (const line of ['signals ls --json', 'signals ls --local --json']) {
      const { base, outcome } = await withAndWithout(long, { line, command: 'signals ls' });
      expect({ line, items: JSON.parse(outcome.stdout).items }, outcome.stderr).not.toEqual({
        line,
        items: JSON.parse(base.stdout).items,
      });
    }
  });

  it('says how much is listed, or cannot stand beside --next', () => {
    const next = options.find((option) => flagsOf(option).long === '--next');
    const ofHistory = longsOf(options.filter(({ needs }) => isSaid(needs)));
    const placed = ['--next', ...(next?.excludes ?? []), ...ofHistory, ...OF_AMOUNT];
    expect(longsOf(options).filter((long) => !placed.includes(long))).toEqual([]);
  });
});

type Served = Readonly<Record<SandboxPart, string>>;

/** Serves until the questions are answered. */
async function serve(words: readonly string[], port: number): Promise<Served> {
  const home = createHome();
  const answers: string[] = [];
  const ask = async (baseUrl: string) => {
    const headers = { authorization: 'Bearer sandbox-key' };
    for (const question of ASKED_OF_SANDBOX) {
      const answer = await fetch(baseUrl + question, { headers });
      answers.push(`${question} ${answer.status} ${await answer.text()}`);
    }
  };
  const ran = await runHere(words, {
    home,
    clock: new TestClock(NOW),
    onOutput: (stdout, interrupt) => {
      const baseUrl = /http:[^"'\s;]+/.exec(stdout)?.[0] ?? '';
      ask(baseUrl).finally(interrupt);
    },
  });
  home.remove();
  const plain = (text: string) =>
    text.replaceAll(`:${port}/`, ':PORT/').replace(/127\.0\.0\.1:\d+/g, 'ANY');
  return { stdout: plain(ran.stdout), stderr: plain(ran.stderr), answers: answers.join('\n') };
}

/** A port that nobody listens to at the moment. */
function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
      server.close(() => resolve(port));
    });
  });
}

describe('an option of sandbox', () => {
  it.each(Object.entries(SANDBOX_ROWS))('%s changes what its row says', async (flag, row) => {
    const port = await freePort();
    const line = ['sandbox', ...(row.isJson === false ? [] : ['--json'])];
    const option = row.option.map((word) => word.replace('PORT', String(port)));
    const base = await serve(line, port);
    const served = await serve([...line, ...option], port);
    expect({ flag, changes: differing(['stdout', 'stderr', 'answers'], base, served) }).toEqual({
      flag,
      changes: row.changes,
    });
    if (row.says) expect(served.stdout).toMatch(row.says);
  });
});
