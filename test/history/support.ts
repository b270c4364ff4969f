/** An export run against the sandbox's API as a function, with an account that counts. */
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { checkResource } from '../../src/api/answer.ts';
import type { Client } from '../../src/api/client.ts';
import { horizonOf } from '../../src/api/contract/horizons.ts';
import type {
  Access,
  SignalCard,
  SignalDetail,
  SignalPage,
} from '../../src/api/contract/resources.ts';
import { statusError } from '../../src/api/failures.ts';
import { LIMITS } from '../../src/api/limits.ts';
import {
  OPERATIONS,
  type OperationName,
  type ParamsOf,
  type ResourceOf,
  type SignalsQuery,
  targetOf,
} from '../../src/api/operations.ts';
import { ServiceTime } from '../../src/api/service-time.ts';
import type { Invocation } from '../../src/commands/parts/invocation.ts';
import { run as runExport } from '../../src/commands/signals-export.ts';
import type { Account, AccountLeft, CreditsKnown } from '../../src/credits/account.ts';
import {
  type CreditsLeft,
  limitReached,
  narrowest,
  withLimits,
} from '../../src/credits/credit-ceiling.ts';
import type { Spending } from '../../src/credits/usage.ts';
import { ScreenerError } from '../../src/errors.ts';
import type { ExportSummary } from '../../src/history/export/summary.ts';
import { History } from '../../src/history/store/history.ts';
import type { ExportManifest } from '../../src/history/store/manifest.ts';
import type { Format } from '../../src/output/formats.ts';
import type { Clock } from '../../src/runtime/clock.ts';
import type { Notes } from '../../src/runtime/context.ts';
import type { World } from '../../src/sandbox/world.ts';
import { aMinute } from '../support/allowances.ts';
import { TestClock, testContext } from '../support/context.ts';
import { card, measuredDetail } from '../support/samples.ts';
import { changing, createApi, type SandboxOptions, worldOf } from '../support/sandbox.ts';

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
export const NOW = Date.UTC(2026, 10, 20, 18, 5);

/** A detail created `hours` before NOW, both horizons measured once they can be. */
export function cardOf(id: number, hours: number, given: Partial<SignalDetail> = {}): SignalDetail {
  const created_at = new Date(NOW - hours * HOUR).toISOString();
  const own = {
    id,
    created_at,
    source_symbol: `S${id % 7}USDT`,
    source_bot_type: id % 2 ? 'oi_surge' : 'pump',
  };
  const settled = measuredDetail({ ...card(own) }, (name) => {
    const scale = horizonOf(name).millis / HOUR > 1 ? 2 : 1;
    const move = (scale * ((id * 37) % 100)) / 10 - 5 * scale;
    return { state: 'available', move, btc: (scale * ((id * 17) % 40)) / 10 - 2 * scale };
  });
  return { ...settled, ...given };
}

/** `count` cards from `start` on, epoch milliseconds UTC, `perDay` on each day. */
export function cardsFrom(start: number, count: number, perDay: number): SignalDetail[] {
  return Array.from({ length: count }, (_, i) => {
    return { ...cardOf(i + 1, 0), created_at: new Date(start + i * (DAY / perDay)).toISOString() };
  });
}

/** `count` cards an hour apart, the newest half an hour old. */
export function cardsAnHourApart(count: number): SignalDetail[] {
  return Array.from({ length: count }, (_, i) => cardOf(count - i, i + 0.5));
}

interface ServiceOptions {
  readonly details: readonly SignalDetail[];
  readonly now?: number;
  readonly dayCredits?: number;
  readonly monthCredits?: number;
  readonly list?: SandboxOptions['list'];
  /** Answers instead of the API: a status, a resource, or undefined to leave it to the API. */
  readonly intercept?: (
    name: OperationName,
    params: Record<string, unknown>,
    nth: number,
  ) => unknown;
}

/** The API over fixed cards; answers at once, counts credits, and can be told to answer otherwise. */
export class Service {
  readonly clock: TestClock;
  /** Milliseconds by which the machine's clock is ahead; and whether answers say what time it is where the service is. */
  ahead = 0;
  dated = true;
  /** The clock of the machine that exports. */
  readonly machine: Clock = {
    now: () => this.clock.now() + this.ahead,
    sleep: (millis, signal) => this.clock.sleep(millis, signal),
  };
  readonly sent: { name: OperationName; params: Record<string, unknown>; status: number }[] = [];
  intercept: ServiceOptions['intercept'];
  #api: ReturnType<typeof createApi>;
  #world: ReturnType<typeof changing>;
  #spent = { day: 0, credits: 0 };
  /** Charged so far. */
  credits = 0;
  /** By days since 1970. */
  readonly #elsewhere = new Map<number, number>();

  constructor(options: ServiceOptions) {
    this.clock = new TestClock(options.now ?? NOW);
    this.intercept = options.intercept;
    this.#world = changing(createdOf(options.details));
    this.#api = createApi({
      allowances: aMinute(1_000_000),
      dayCredits: options.dayCredits ?? 1_000_000,
      monthCredits: options.monthCredits ?? 1_000_000,
      now: () => this.clock.now(),
      world: this.#world,
      list: options.list,
    });
  }

  set details(details: readonly SignalDetail[]) {
    this.#world.set(createdOf(details));
  }

  get #today() {
    const day = Math.floor(this.clock.now() / DAY);
    if (this.#spent.day !== day) this.#spent = { day, credits: 0 };
    return this.#spent;
  }

  #ask(path: string) {
    const headers = { authorization: `Bearer ${this.#api.key}` };
    const { status, body } = this.#api.handle({
      method: 'GET',
      url: `/api/external/v1${path}`,
      headers,
    });
    return { status, resource: JSON.parse(body).response };
  }

  /** Credits of the month that are left, to whomever. */
  get left(): number {
    return this.#ask('/access').resource.credits.remaining;
  }

  billable() {
    return this.sent.filter(({ name }) => name !== 'access');
  }

  /** A new process of the account: its own spending counts from 0. */
  connect(account = 'account-a', invocation: Limits = {}): { client: Client; account: Account } {
    const mine = { requests: 0, charged: 0, uncertain: 0 };
    const call = <N extends OperationName>(name: N, given: ParamsOf<N>): ResourceOf<N> => {
      const { cost } = OPERATIONS[name];
      const target = targetOf(OPERATIONS[name].path, given);
      const params = given as Record<string, unknown>;
      const other = this.intercept?.(
        name,
        params,
        this.sent.filter((request) => request.name === name).length + 1,
      );
      const prepared =
        typeof other === 'number'
          ? { status: other, resource: null }
          : { status: 200, resource: other };
      const { status, resource } = other === undefined ? this.#ask(target) : prepared;
      mine.requests += 1;
      this.sent.push({ name, params, status: other instanceof Error ? 0 : status });
      if (other instanceof Error) throw other;
      if (other !== undefined || status === 200) this.#today.credits += cost;
      mine[status === 200 ? 'charged' : 'uncertain'] += cost;
      if (status === 200) {
        this.credits += cost;
        return resource as ResourceOf<N>;
      }
      const retryAfter = typeof other === 'number' && status === 429 ? 3600 : undefined;
      throw statusError(OPERATIONS[name], target, {
        status,
        body: 'envelope',
        retryAfter,
        at: this.clock.now(),
      });
    };
    const time = new ServiceTime(this.machine, () => {});
    const ours = this.#accountOf(account, mine, invocation);
    return {
      client: {
        now: () => time.now(),
        dateHeaderTime: () => time.dateHeaderTime(),
        call: async (name, params) => {
          const { signal } = invocation;
          signal?.throwIfAborted();
          await new Promise(setImmediate);
          signal?.throwIfAborted();
          const answer = call(name, params);
          if (name === 'signals') checkResource(OPERATIONS.signals.schema, answer as object);
          const dated = this.dated ? new Date(this.clock.now()).toUTCString() : undefined;
          time.learnFromHeader(dated, this.machine.now());
          if (name === 'signals') time.learnFromCards(answer as SignalPage, params as SignalsQuery);
          if (name === 'access') ours.observe(answer as Access);
          return answer;
        },
      },
      account: ours,
    };
  }

  /** Credits that another machine spends. */
  neighbour(credits: number): void {
    this.#api.spend(credits);
    const { day } = this.#today;
    this.#elsewhere.set(day, credits + (this.#elsewhere.get(day) ?? 0));
  }

  /** As much of an account as an export asks for. */
  #accountOf(
    id: string,
    spent: Spending,
    { maxCredits = Number.POSITIVE_INFINITY, keep = 0 }: Limits,
  ): Account {
    let access: CreditsKnown['access'];
    let spentBefore = 0;
    const total = () => spent.charged + spent.uncertain;
    const known = () => ({
      access,
      days: [...this.#elsewhere].map(([day, elsewhere]) => ({
        day,
        operations: {},
        elsewhere,
        exports: 0,
      })),
      today: withLimits(
        { requests: 0, charged: this.#today.credits, uncertain: 0 },
        { dailyLimitOfService: LIMITS.creditsPerDay },
      ),
      leftOfServiceDay: LIMITS.creditsPerDay - this.#today.credits,
      leftOfUsersDay: undefined,
      monthByLedger: { left: Number.POSITIVE_INFINITY, resetsAt: this.clock.now() + 31 * DAY },
      monthLeft: access && access.credits.remaining - (total() - spentBefore),
    });
    const account: Partial<Account> = {
      id,
      keep,
      left: () => {
        const { leftOfServiceDay: day, monthLeft: month = Number.POSITIVE_INFINITY } = known();
        const limits = { max_credits: maxCredits - total(), day, month, keep: month - keep };
        return narrowest(limits) as CreditsLeft;
      },
      leftOfAccount: () => {
        const { leftOfServiceDay: day, monthLeft: month = Number.POSITIVE_INFINITY } = known();
        return narrowest({ day, month, keep: month - keep }) as AccountLeft;
      },
      known: () => known() as Partial<CreditsKnown> as CreditsKnown,
      accessRefusal: () => null,
      spentByCommand: () => spent,
      beginRun: () => {},
      endRun: () => {},
      observe: ({ credits }) => {
        access = { at: this.clock.now(), credits };
        spentBefore = total();
      },
      limitReached: (limit) => {
        return limitReached(
          limit,
          { maxCredits, keep },
          { access: access ?? null, days: [] },
          this.clock.now(),
        );
      },
      timeFor: () => 0,
      buyingCard: (_, buy) => buy({ isLost: false, check() {}, release() {} }),
      gate: { spent, longHoldOn: () => undefined, firmHoldOn: () => undefined } as Partial<
        Account['gate']
      > as Account['gate'],
    };
    return account as Account;
  }

  /** The day's credits again, at the same time. */
  refill(): void {
    this.#today.credits = 0;
  }
}

/** Lists a card from its `created_at` on. */
function createdOf(details: readonly SignalDetail[]): World {
  const world = worldOf(details);
  return { ...world, index: (now) => world.index(now).filter(({ createdAt }) => createdAt <= now) };
}

/** What a command's own options allow it. */
interface Limits {
  readonly maxCredits?: number | undefined;
  readonly keep?: number | undefined;
  readonly signal?: AbortSignal;
}

interface InvocationOptions extends Limits {
  readonly service?: Service;
  readonly account?: string;
  readonly plan?: boolean;
  readonly format?: Format;
}

export function invocationOf(options: InvocationOptions) {
  const said = {
    notes: [] as string[],
    warnings: [] as string[],
    progress: [] as string[],
    results: [] as unknown[],
  };
  const progress = (text: string) => {
    said.progress.push(text);
    return { update: (next: string) => void said.progress.push(next), stop: () => {} };
  };
  const notes: Notes = {
    note: (text) => void said.notes.push(text),
    labelled: (label, text) => void said.notes.push(label + text),
    warn: (text) => void said.warnings.push(text),
    debug: () => {},
    progress,
    waiting: progress,
    flush: async () => {},
  };
  const { service, signal } = options;
  const invocation: Invocation = {
    notes,
    closing: [],
    summary: [],
    atEnd: [],
    context: testContext({ ...(service && { clock: service.machine }), ...(signal && { signal }) }),
    globals: {
      format: options.format ?? 'json',
      fields: undefined,
      demo: false,
      maxCredits: options.maxCredits,
      keep: options.keep,
      plan: options.plan ?? false,
    } as Invocation['globals'],
    output: {
      isForPeople: options.format === 'table',
      page: async () => {},
      one: async (_, value) => void said.results.push(value),
      list: async (_, list) => {
        const items: unknown[] = [];
        for await (const batch of list.batches) items.push(...batch);
        const { head } = list;
        said.results.push(
          head === undefined ? items : { ...(typeof head === 'object' ? head : head()), items },
        );
      },
    },
    connect: async () => {
      if (service === undefined) throw new Error('this command must not connect');
      return service.connect(options.account, options);
    },
  };
  return { ...invocation, said };
}

type RunOptions = Omit<InvocationOptions, 'service'> &
  Omit<Partial<Parameters<typeof runExport>[1]>, 'history'>;

/** One run of `signals export`. @returns `sent`: its billable requests */
export async function exportInto(directory: string, service: Service, options: RunOptions = {}) {
  const invocation = invocationOf({ ...options, service });
  const before = service.billable().length;
  const creditsBefore = service.credits;
  let error: unknown;
  try {
    const history = new History(directory, invocation.notes, invocation.context.clock);
    await runExport(invocation, {
      outcomes: true,
      screeners: false,
      stats: false,
      ...options,
      history,
    });
  } catch (thrown) {
    error = thrown;
  }
  return {
    summary: invocation.said.results[0] as ExportSummary,
    error,
    sent: service.billable().slice(before),
    credits: service.credits - creditsBefore,
    said: invocation.said,
    closing: invocation.closing.map(([sentence]) => sentence),
  };
}

/** Runs one after the other, `every` so many milliseconds; none fails. */
export async function* exports(
  dir: string,
  service: Service,
  count: number,
  options: RunOptions = {},
  every = DAY,
) {
  for (let run = 0; run < count; run += 1) {
    const ran = await exportInto(dir, service, options);
    expect(ran.error).toBeUndefined();
    yield { ...ran, run };
    await service.clock.sleep(every);
  }
}

/** The first run into a directory of its own. */
export async function started(details: readonly SignalDetail[], options: RunOptions = {}) {
  const service = new Service({ details });
  const dir = directory();
  return { service, dir, ...(await exportInto(dir, service, options)) };
}

/** A directory that is not there yet, and is removed when the test has ended. */
export function directory(): string {
  const folder = mkdtempSync(join(tmpdir(), 'history-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'signals');
}

/** A service, and a directory that is not there yet. */
export function setUp(options: ServiceOptions) {
  return { service: new Service(options), dir: directory() };
}

/** All lines of the month files, month by month. */
export function stored(directory: string): SignalDetail[] {
  return monthFiles(directory).flatMap((name) => linesOf(join(directory, name)));
}

export function monthFiles(directory: string): string[] {
  return readdirSync(directory)
    .filter((name) => /^signals-.*\.ndjson$/.test(name))
    .sort();
}

export function linesOf(path: string): SignalDetail[] {
  const lines = readFileSync(path, 'utf8').split('\n');
  if (lines.pop() !== '') throw new Error(`${path} does not end with a newline`);
  return lines.map((line) => JSON.parse(line));
}

export function stateOf(directory: string): ExportManifest {
  return JSON.parse(readFileSync(join(directory, 'export.json'), 'utf8'));
}

export function bare({
  outcome: _o,
  entry_context: _e,
  context_scope: _c,
  ...rest
}: SignalDetail): SignalCard {
  return rest as SignalCard;
}

/** As outcomes are bought: by the SHA-256 of the id. */
export function inHashOrder(ids: readonly number[]): number[] {
  const hash = (id: number) => createHash('sha256').update(`${id}`).digest('hex');
  return ids.toSorted((a, b) => (hash(a) < hash(b) ? -1 : 1));
}

export function codeOf(error: unknown): string | undefined {
  return error instanceof ScreenerError ? error.code : undefined;
}
