/** Lives one account, and leaves what its screens said beside the truth. */
import { appendFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  liveInWorld,
  type MorningState,
  type RunWords,
  visitMorning,
} from '../mornings/accounts.ts';
import { changeDaysOf, type LivedAccount } from './accounts.ts';
import { type Claim, claimsOf, type Json, textOf } from './claims.ts';
import type { Market } from './market.ts';
import { type Truth, truthLines, truthOf } from './truth.ts';
import { createLivedWorld, FIRST_MORNING } from './world.ts';

const DAY = 24 * 3_600_000;

/** Columns of the terminal. */
const WIDTH = 100;

/** How many cards the user picked at most. */
const PICKS = 40;

/** Their ids, one a line, below the folder of a day. */
const PICKS_FILE = 'picks.ids';

export interface LifeOptions {
  readonly account: LivedAccount;
  readonly seed: number;
  readonly mornings: number;
  /** The days whose screens are kept. */
  readonly days: readonly number[];
  /** The folder of the account. */
  readonly directory: string;
  readonly onMorning?: (day: number) => void;
}

/** A verdict on the mornings that showed it, one after the other. */
export interface VerdictRun {
  readonly claim: Claim;
  readonly first: number;
  last: number;
  /** On the last of these mornings. */
  truth: Truth;
}

/** @returns all verdicts that were shown, in order of their first morning */
export async function live({
  account,
  seed,
  mornings,
  days,
  directory,
  onMorning = () => {},
}: LifeOptions): Promise<VerdictRun[]> {
  const { world, market, pickedUntil } = createLivedWorld(account, seed, mornings);
  mkdirSync(path.join(directory, 'mornings'), { recursive: true });
  const write = (file: string, text: string) => writeFileSync(path.join(directory, file), text);
  write('truth.txt', textOfLines(truthLines(account, market, mornings)));
  write('news.txt', '');
  const claimsByDay: Claim[][] = [];
  const exportDays = Array.from({ length: mornings }, (_, day) => day);
  await liveInWorld({ world, firstMorning: FIRST_MORNING, exportDays }, async (day, run, state) => {
    if (days.includes(day)) saveMorning(folderOfDay(directory, day), state);
    const changes = await screenOf(run, 'today', '--changes');
    if (changes.hasOutput)
      appendFileSync(path.join(directory, 'news.txt'), newsOf(day, changes.text));
    const today = await screenOf(run, 'today');
    write(path.join('mornings', `${twoDigits(day)}.txt`), today.text);
    const answers = {
      today: await jsonOf(run, 'today'),
      stats: await jsonOf(run, 'stats', '--local', '--by', 'type'),
      settings: await settingsOf(account, day, run),
      tune: await jsonOf(run, 'tune'),
    };
    claimsByDay.push(claimsOf(answers));
    if (days.includes(day)) {
      const picks = await picksOf(account, pickedUntil(FIRST_MORNING + day * DAY), run);
      const folder = folderOfDay(directory, day);
      await keepScreens(account, folder, picks, run);
    }
    onMorning(day);
  });
  const runs = runsOf(claimsByDay, account, market);
  write('verdicts.txt', textOfLines(runs.map(lineOf)));
  return runs;
}

/** Where the files of a morning are kept, below the folder of its day. */
const SAVED = 'saved';

const folderOfDay = (directory: string, day: number): string =>
  path.join(directory, `day-${twoDigits(day)}`);

function saveMorning(folder: string, state: MorningState): void {
  const saved = path.join(folder, SAVED);
  cpSync(state.folder, path.join(saved, 'home'), { recursive: true });
  writeFileSync(path.join(saved, 'state.json'), `${JSON.stringify(state)}\n`);
}

/** Asks the screens of mornings that were lived before once more, and writes them in the place of what was said then. */
export async function lookAgain({
  account,
  seed,
  mornings,
  days,
  directory,
  onMorning = () => {},
}: LifeOptions): Promise<void> {
  const { world } = createLivedWorld(account, seed, mornings);
  for (const day of days) {
    const folder = folderOfDay(directory, day);
    const saved = path.join(folder, SAVED);
    const state: MorningState = JSON.parse(readFileSync(path.join(saved, 'state.json'), 'utf8'));
    const picks = readFileSync(path.join(folder, PICKS_FILE), 'utf8').split('\n');
    const ids = picks.filter((line) => line !== '').map(Number);
    const copied = { ...state, folder: path.join(saved, 'home') };
    await visitMorning(world, copied, (run) => keepScreens(account, folder, ids, run));
    onMorning(day);
  }
}

const twoDigits = (day: number): string => String(day).padStart(2, '0');

function newsOf(day: number, text: string): string {
  const date = new Date(FIRST_MORNING + day * DAY).toISOString().slice(0, 10);
  return `Day ${day}, ${date}\n${text}\n`;
}

const textOfLines = (lines: readonly string[]): string => `${lines.join('\n')}\n`;

/** What a person sees who types a command line. */
interface Screen {
  readonly text: string;
  /** Whether there is anything on standard output. */
  readonly hasOutput: boolean;
}

async function screenOf(run: RunWords, ...words: string[]): Promise<Screen> {
  const { code, stdout, stderr } = await run(words, { tty: WIDTH });
  const lines = [`$ screener ${words.join(' ')}`, stdout.trimEnd()];
  if (stderr !== '') lines.push(`[stderr]\n${stderr.trimEnd()}`);
  if (code !== 0) lines.push(`[exit code ${code}]`);
  return { text: textOfLines(lines), hasOutput: stdout !== '' };
}

async function jsonOf(run: RunWords, ...words: string[]): Promise<Json> {
  const { code, stdout, stderr } = await run([...words, '--json'], {});
  if (code !== 0) throw new Error(`${words.join(' ')}: ${stderr}`);
  return JSON.parse(stdout);
}

/** The settings and their changes of the types whose settings have changed. */
async function settingsOf(
  { types }: LivedAccount,
  day: number,
  run: RunWords,
): Promise<Map<string, Json>> {
  const answers = new Map<string, Json>();
  for (const type of types) {
    if (!changeDaysOf(type).some((changed) => changed <= day)) continue;
    answers.set(type.name, await jsonOf(run, 'stats', '--local', '--by', 'settings', type.name));
  }
  return answers;
}

/** The cards that the user picked, over all days of the history. */
async function picksOf(
  { picksFrom }: LivedAccount,
  picked: readonly number[],
  run: RunWords,
): Promise<number[]> {
  if (picksFrom === 'all') return spreadOver(picked, PICKS);
  const { items } = await jsonOf(run, 'signals', 'ls', '--local', '--outcomes');
  const bought = items.filter(({ outcome }: Json) => outcome);
  const boughtIds = new Set<number>(bought.map(({ id }: Json) => id));
  return spreadOver(
    picked.filter((id) => boughtIds.has(id)),
    PICKS,
  );
}

/** At most so many of the ids, as far apart from each other in the list as that allows. */
function spreadOver(ids: readonly number[], most: number): number[] {
  const step = Math.max(1, ids.length / most);
  return ids.filter((_, place) => Math.floor(place / step) !== Math.floor((place - 1) / step));
}

async function keepScreens(
  account: LivedAccount,
  folder: string,
  picks: readonly number[],
  run: RunWords,
): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const picksFile = path.join(folder, PICKS_FILE);
  writeFileSync(picksFile, textOfLines(picks.map(String)));
  const keep = async (name: string, ...words: string[]) => {
    const { text } = await screenOf(run, ...words);
    writeFileSync(path.join(folder, `${name}.txt`), text);
  };
  const keepJson = async (name: string, ...words: string[]) => {
    const json = await jsonOf(run, ...words);
    writeFileSync(path.join(folder, `${name}.json`), `${JSON.stringify(json, null, 2)}\n`);
  };
  await keep('today', 'today');
  await keepJson('today', 'today');
  await keepJson('stats', 'stats', '--local', '--by', 'type');
  await keep('stats', 'stats', '--local', '--by', 'type');
  await keep('tune', 'tune');
  for (const type of account.tuned) await keep(`tune-${type}`, 'tune', type);
  for (const type of account.types)
    if (changeDaysOf(type).length > 0)
      await keep(`settings-${type.name}`, 'stats', '--local', '--by', 'settings', type.name);
  await keep('screeners', 'screeners', '--local');
  for (const type of account.pages) await keep(`page-${type}`, 'screeners', '--local', type);
  await keep('access', 'access');
  await keep('picked', 'stats', '--local', '--picked', picksFile);
  await keep('report', 'report', path.join(folder, 'report.html'));
}

/** Verdicts of neighbouring mornings become one run. @param claimsByDay of each morning, from day 0 on */
export function runsOf(
  claimsByDay: readonly (readonly Claim[])[],
  account: LivedAccount,
  market: Market,
): VerdictRun[] {
  const runs: VerdictRun[] = [];
  for (const [day, claims] of claimsByDay.entries())
    for (const claim of claims) {
      const truth = truthOf(claim, account, market, day);
      const ofYesterday = runs.filter(({ last }) => last === day - 1);
      const continued = ofYesterday.find((run) => isSame(run, claim, truth));
      if (continued === undefined) runs.push({ claim, first: day, last: day, truth });
      else Object.assign(continued, { last: day, truth });
    }
  return runs;
}

function isSame(run: VerdictRun, claim: Claim, truth: Truth): boolean {
  return textOf(run.claim) === textOf(claim) && run.truth.against === truth.against;
}

/** `days 12 to 30: breakout above_others; truly -0.20. FALSE` */
export function lineOf({ claim, first, last, truth }: VerdictRun): string {
  const days = first === last ? `day ${first}` : `days ${first} to ${last}`;
  const value = truth.value === null ? 'no such effect' : `truly ${truth.value.toFixed(2)}`;
  const against = truth.against === null ? '' : `. ${truth.against.toUpperCase()}`;
  return `${days}: ${textOf(claim)}; ${value}${against}`;
}
