/**
 * `npm run mutate -- ROOM`: mutates the sources of a room, one place at a time, runs its tests after each, and lists the
 * mutations that no test noticed. It works on a copy of the repository, so the files here stay as they are, however it
 * ends. `--help` lists the rooms and the options.
 */
import { spawn } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chosen, type Mutation, mutated, mutationsOf } from './mutations.ts';
import { readRequest, usage } from './request.ts';

/** Where the run of the tests leaves how long each file took. */
const REPORT = 'test-report.json';

interface Placed extends Mutation {
  /** Relative to the repository. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly text: string;
}

const rooms = readdirSync('src', { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
const request = readRequest(process.argv.slice(2), rooms);
if (request === 'help') {
  say(usage(rooms));
  process.exit(0);
}
if ('trouble' in request) {
  say(`${request.trouble}\n\n${usage(rooms)}`);
  process.exit(2);
}
const { room, tests } = request;
const source = path.join('src', room);

const copy = mkdtempSync(path.join(tmpdir(), 'screener-mutate-'));
// A test runs the program as another user.
chmodSync(copy, 0o755);
// Tests that were ended a moment ago may still write there.
const removal = { recursive: true, force: true, maxRetries: 5, retryDelay: 200 } as const;
process.on('exit', () => rmSync(copy, removal));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));
copyRepository();

const began = Date.now();
writeOrder([]);
const first = await runTests(Number.POSITIVE_INFINITY);
if (first.isRed) {
  say(`${first.output}\nRed before anything is changed.`);
  process.exit(1);
}
/** Milliseconds: a mutated program may never end. */
const patience = 3 * (Date.now() - began) + 30_000;
writeOrder(quickestFirst());

const all = sourcesOf(room, request.file).flatMap(placedMutations);
const picked = chosen(all, request.count, request.seed);
say(`${picked.length} of ${all.length} mutations of ${source}, tests: ${tests.join(', ')}`);
const living: Placed[] = [];
for (const [index, mutation] of picked.entries()) {
  const file = path.join(copy, mutation.file);
  const before = readFileSync(file, 'utf8');
  writeFileSync(file, mutated(before, mutation));
  const { isRed: isNoticed } = await runTests(patience);
  writeFileSync(file, before);
  if (!isNoticed) living.push(mutation);
  say(`${index + 1}/${picked.length} ${isNoticed ? 'caught' : 'LIVES '} ${inWords(mutation)}`);
}
say(`\n${picked.length - living.length} of ${picked.length} caught. These live:`);
for (const mutation of living) say(inWords(mutation));

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Everything that tests read, with the installed packages as they are here. */
function copyRepository(): void {
  const left = new Set(['node_modules', '.git', 'dist', 'man']);
  for (const name of readdirSync('.'))
    if (!left.has(name)) cpSync(name, path.join(copy, name), { recursive: true });
  symlinkSync(path.resolve('node_modules'), path.join(copy, 'node_modules'));
}

/** @param part of a path: files without it are left out */
function sourcesOf(name: string, part: string): string[] {
  return readdirSync(path.join('src', name), { recursive: true, encoding: 'utf8' })
    .map((file) => path.join('src', name, file))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'))
    .filter((file) => file.includes(part))
    .sort();
}

function placedMutations(file: string): Placed[] {
  const text = readFileSync(file, 'utf8');
  return mutationsOf(text).map((mutation) => {
    const line = text.slice(0, mutation.start).split('\n').length;
    return { ...mutation, file, line, text: text.slice(mutation.start, mutation.end) };
  });
}

function inWords({ file, line, kind, text, replacement }: Placed): string {
  const short = (part: string) => part.replace(/\s+/g, ' ').slice(0, 60);
  return `${file}:${line} ${kind}: ${short(text)} -> ${short(replacement)}`;
}

interface Report {
  readonly testResults: readonly {
    /** The path of the test file. */
    readonly name: string;
    /** Unix milliseconds. */
    readonly startTime: number;
    readonly endTime: number;
  }[];
}

/** The test files of the last run, relative to the repository. */
function quickestFirst(): string[] {
  const report: Report = JSON.parse(readFileSync(path.join(copy, REPORT), 'utf8'));
  return report.testResults
    .toSorted((a, b) => a.endTime - a.startTime - (b.endTime - b.startTime))
    .map(({ name }) => path.relative(copy, name));
}

function writeOrder(files: readonly string[]): void {
  writeFileSync(path.join(copy, 'test/mutate/order.json'), JSON.stringify(files));
}

interface TestRun {
  /** Whether a test failed, or they did not end in time. */
  readonly isRed: boolean;
  readonly output: string;
}

/** Runs the tests in the copy, up to the first red one. @param limit milliseconds */
function runTests(limit: number): Promise<TestRun> {
  const vitest = path.join('node_modules', 'vitest', 'vitest.mjs');
  const words = ['run', '--config', 'test/mutate/vitest.config.ts', '--bail', '1', ...tests];
  const child = spawn(process.execPath, [vitest, ...words], {
    cwd: copy,
    env: { ...process.env, SCREENER_TEST_REPORT: REPORT },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const end = () => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  };
  const timer = Number.isFinite(limit) ? setTimeout(end, limit) : undefined;
  // Before the copy is removed: the tests would write into it meanwhile.
  process.prependOnceListener('exit', end);
  return new Promise((resolve) => {
    child.once('close', (code) => {
      clearTimeout(timer);
      process.removeListener('exit', end);
      resolve({ isRed: code !== 0, output });
    });
  });
}
