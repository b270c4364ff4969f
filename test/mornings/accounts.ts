/** Accounts in which nothing works, small or large: the sandbox's service over HTTP, an export each morning. */
import { cpSync } from 'node:fs';
import type { SignalDetail } from '../../src/api/contract/resources.ts';
import type { Allowances } from '../../src/api/limits.ts';
import { snapshotAt } from '../../src/sandbox/market/market-world.ts';
import type { World } from '../../src/sandbox/world.ts';
import { aMinute } from '../support/allowances.ts';
import { TestClock } from '../support/context.ts';
import { normalOf, randomOf } from '../support/history.ts';
import { createHome } from '../support/home.ts';
import { runHere } from '../support/in-process.ts';
import { measuredDetail } from '../support/samples.ts';
import { startSandbox } from '../support/sandbox.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** The morning of the first export. */
export const FIRST_MORNING = Date.UTC(2026, 9, 1, 6);

export interface AccountOptions {
  /** Cards a day of each type. */
  readonly types: Readonly<Record<string, number>>;
  /** Days that the service lists on the first morning. */
  readonly listed: number;
  /** Days on whose mornings exports run, in order; the first morning is day 0. */
  readonly exportDays: readonly number[];
  /** More words of a morning's `signals export`; none unless given. */
  readonly exportWords?: () => readonly string[];
  /** The standard deviation of a card's move beside the day's, percentage points. */
  readonly spread?: number;
}

const SYMBOLS = Array.from({ length: 40 }, (_, i) => `S${i}USDT`);

/** As many digits as the service gives. */
const rounded = (value: number): number => Math.round(1e6 * value) / 1e6;

function worldOf({ types, listed, exportDays, spread = 5 }: AccountOptions): World {
  const random = randomOf(7);
  const normal = normalOf(random);
  const numbers = randomOf(8);
  const first = FIRST_MORNING - listed * DAY;
  const days = listed + (exportDays.at(-1) ?? 0) + 1;
  const details: SignalDetail[] = [];
  for (let day = 0; day < days; day += 1) {
    const btc = 2 * normal();
    const created: { readonly at: number; readonly type: string }[] = [];
    for (const [type, perDay] of Object.entries(types)) {
      const cards = Math.floor(perDay + random());
      for (let card = 0; card < cards; card += 1)
        created.push({ at: first + Math.floor((day + random()) * DAY), type });
    }
    for (const { at, type } of created.sort((a, b) => a.at - b.at)) {
      const given = {
        id: details.length + 1,
        source_symbol: SYMBOLS[Math.floor(random() * SYMBOLS.length)] ?? '',
        source_bot_type: type,
        created_at: new Date(at).toISOString(),
        entry_context: { rsi_14: rounded(100 * numbers()) },
      };
      const move = rounded(btc + spread * normal());
      details.push(
        measuredDetail(given, () => ({
          state: 'available',
          move,
          btc: rounded(btc),
        })),
      );
    }
  }
  const cards = details.map(({ id, created_at, source_symbol: symbol, source_bot_type: type }) => {
    return { id, createdAt: Date.parse(created_at), symbol, type };
  });
  const newestFirst = cards.toReversed();
  const items = Object.keys(types).map((type) => ({
    type,
    active: true,
    conditions: { level: 1 },
  }));
  const isThere = (card: (typeof cards)[number] | undefined, now: number) =>
    card !== undefined && card.createdAt <= now;
  return {
    index: (now) => newestFirst.filter((card) => isThere(card, now)),
    detail: (id, now) => (isThere(cards[id - 1], now) ? details[id - 1] : undefined),
    screeners: () => ({ scope: 'current_settings', items }),
    snapshot: (now) => snapshotAt(7, now),
  };
}

/** What a command prints on the morning that an account has reached. */
export type Ask = (...words: string[]) => Promise<string>;

/** An account whose service shows a given world. */
export interface WorldOptions extends Pick<AccountOptions, 'exportDays' | 'exportWords'> {
  readonly world: World;
  /** Epoch milliseconds UTC. */
  readonly firstMorning: number;
  /** Those of the document unless given. */
  readonly allowances?: Partial<Allowances>;
}

/** Runs a command line on the morning that an account has reached. @param tty columns of a terminal without colours */
export type RunWords = (
  words: readonly string[],
  options: { readonly tty?: number },
) => ReturnType<typeof runHere>;

/** What a morning can be looked at again from. */
export interface MorningState {
  /** Epoch milliseconds UTC, after the export. */
  readonly at: number;
  /** The account's files. */
  readonly folder: string;
  /** Of the service: a ledger belongs to a base URL. */
  readonly port: number;
  /** Credits that the service has charged. */
  readonly creditsOfMonth: number;
  readonly creditsOfDay: number;
}

/** Exports on the mornings of `exportDays`, and calls `onMorning` after it. */
export async function liveInWorld(
  { world, firstMorning, exportDays, exportWords, allowances = {} }: WorldOptions,
  onMorning: (day: number, run: RunWords, state: MorningState) => Promise<void>,
): Promise<void> {
  const clock = new TestClock(firstMorning);
  const home = createHome();
  const sandbox = await startSandbox({ world, now: () => clock.now(), allowances });
  const env = { ...sandbox.env, NO_COLOR: '1' };
  const run: RunWords = (words, { tty }) => runHere(words, { home, clock, env, tty });
  try {
    for (const day of exportDays) {
      await clock.sleep(Math.max(0, firstMorning + day * DAY - clock.now()));
      const words = ['signals', 'export', '--quiet', ...(exportWords?.() ?? [])];
      const { code, stderr } = await run(words, {});
      if (code !== 0) throw new Error(`${words.join(' ')} on day ${day}: ${stderr}`);
      await onMorning(day, run, {
        at: clock.now(),
        folder: home.folder,
        port: Number(new URL(sandbox.baseUrl).port),
        creditsOfMonth: sandbox.quota.month,
        creditsOfDay: sandbox.quota.day,
      });
    }
  } finally {
    await sandbox.close();
    home.remove();
  }
}

/** Runs command lines on a morning that was lived before, on a copy of its files. */
export async function visitMorning(
  world: World,
  { at, folder, port, creditsOfMonth, creditsOfDay }: MorningState,
  work: (run: RunWords) => Promise<void>,
): Promise<void> {
  const clock = new TestClock(at);
  const home = createHome();
  cpSync(folder, home.folder, { recursive: true });
  const sandbox = await startSandbox({ world, port, now: () => clock.now() });
  sandbox.spend(creditsOfDay);
  sandbox.spend(creditsOfMonth - creditsOfDay, { today: false });
  const env = { ...sandbox.env, NO_COLOR: '1' };
  try {
    await work((words, { tty }) => runHere(words, { home, clock, env, tty }));
  } finally {
    await sandbox.close();
    home.remove();
  }
}

/** As `liveInWorld`, in a world in which nothing works. */
export async function liveIn(
  options: AccountOptions,
  onMorning: (day: number, ask: Ask) => Promise<void>,
): Promise<void> {
  const life: WorldOptions = {
    ...options,
    world: worldOf(options),
    firstMorning: FIRST_MORNING,
    allowances: aMinute(1_000_000),
  };
  await liveInWorld(life, async (day, run) => {
    const ask: Ask = async (...words) => {
      const { code, stdout, stderr } = await run(words, {});
      if (code !== 0) throw new Error(`${words.join(' ')}: ${stderr}`);
      return stdout;
    };
    await onMorning(day, ask);
  });
}
