/** The program itself, over HTTP, as cron runs it: one user, one service, and a clock that only the test and waits move. */
import { cpSync, existsSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, onTestFinished } from 'vitest';
import type { SignalDetail } from '../../src/api/contract/resources.ts';
import { OPERATION_NAMES, OPERATIONS, type OperationName } from '../../src/api/operations.ts';
import type { ExportManifest } from '../../src/history/store/manifest.ts';
import type { Finding } from '../../src/outcomes/findings.ts';
import type { Clock } from '../../src/runtime/clock.ts';
import { type ApiRequest, type ApiResponse, failure } from '../../src/sandbox/response.ts';
import { serve } from '../../src/sandbox/sandbox.ts';
import type { World } from '../../src/sandbox/world.ts';
import { aMinute } from '../support/allowances.ts';
import { TestClock } from '../support/context.ts';
import { parseLines } from '../support/fixtures.ts';
import { createHome } from '../support/home.ts';
import { runHere } from '../support/in-process.ts';
import { changing, createApi, type SandboxOptions, worldOf } from '../support/sandbox.ts';
import { cardsAnHourApart, DAY, monthFiles, NOW, stored } from './support.ts';

const PREFIX = '/api/external/v1';

/** One request as the service heard it. */
export interface Heard {
  readonly operation: OperationName;
  /** Its query; `id` is the card of `/signals/{id}`. */
  readonly query: Readonly<Record<string, string>>;
  /** Epoch milliseconds UTC. */
  readonly at: number;
}

export interface CronOptions extends Pick<SandboxOptions, 'list' | 'dayCredits' | 'monthCredits'> {
  readonly details: readonly SignalDetail[];
  /** Epoch milliseconds UTC of the first run. */
  readonly start: number;
  /** Whether answers tell the service's time. */
  readonly dated?: boolean;
  /** What comes in the place of the answer; undefined leaves it to the service. `real` is that answer, and is charged. */
  readonly instead?: (heard: Heard, real: () => ApiResponse) => ApiResponse | undefined;
}

export type Cron = Awaited<ReturnType<typeof openCron>>;

/** Lists a card from its `created_at` on. */
function listedInTime(details: readonly SignalDetail[]): World {
  const world = worldOf(details);
  return { ...world, index: (now) => world.index(now).filter(({ createdAt }) => createdAt <= now) };
}

/** A service with these cards, and a user whose cron exports them into one directory, until the test has ended. */
export async function startCron(options: CronOptions): Promise<Cron> {
  const cron = await openCron(options);
  onTestFinished(cron.close);
  return cron;
}

/**
 * Lives some days once, for all tests of a file or a `describe`: to live them again for each took a third of the time.
 * @param live starts the cron by `start`
 * @returns what gives a test the cron as it was at the end of these days: files, credits and clock
 */
export function livedOnce(live: (start: typeof openCron) => Promise<Cron>): () => Cron {
  let goBack = (): Cron => {
    throw new Error('These days are lived before the tests.');
  };
  beforeAll(async () => {
    const cron = await live(openCron);
    const remembered = cron.remember();
    goBack = () => {
      remembered.goBack();
      return cron;
    };
    return async () => {
      remembered.forget();
      await cron.close();
    };
  });
  return () => goBack();
}

async function openCron({ details, start, instead, dated = true, ...options }: CronOptions) {
  const clock = new TestClock(start);
  const world = changing(listedInTime(details));
  const openAccount = () =>
    createApi({
      allowances: aMinute(1_000_000),
      now: () => clock.now(),
      world,
      ...options,
    });
  let api = openAccount();
  const heard: (Heard & {
    /** 0 where no whole answer came. */ readonly status: number;
    readonly credits: number;
  })[] = [];
  const state = { instead, headerAhead: 0, machineAhead: 0 };

  function answer(request: ApiRequest): ApiResponse {
    const { pathname, searchParams } = new URL(request.url, 'http://localhost');
    const path = pathname.replace(PREFIX, '');
    const id = /^\/signals\/(.+)$/.exec(path)?.[1];
    const template = id === undefined ? path : '/signals/{id}';
    const operation = OPERATION_NAMES.find((name) => OPERATIONS[name].path === template);
    if (operation === undefined) return api.handle(request);
    const query = { ...Object.fromEntries(searchParams), ...(id !== undefined && { id }) };
    const asked: Heard = { operation, query, at: clock.now() };
    const real = () => api.handle(request);
    const response = state.instead?.(asked, real) ?? real();
    const hasAnswer = response.delivery === 'whole';
    heard.push({ ...asked, status: hasAnswer ? response.status : 0, credits: response.credits });
    return response;
  }

  const date = () => clock.now() + state.headerAhead;
  const served = await serve(answer, dated ? { now: date } : {});
  const home = createHome();
  const env = { SCREENER_BASE_URL: served.baseUrl, SCREENER_API_KEY: api.key };
  const dir = join(home.folder, 'history');

  const machine: Clock = {
    now: () => clock.now() + state.machineAhead,
    sleep: (millis, signal) => clock.sleep(millis, signal),
  };

  /** Any command line of this user. @returns what it said, with the requests that it sent */
  async function command(...words: string[]) {
    const before = heard.length;
    const ran = await runHere(words, {
      home,
      clock: machine,
      env: { ...env, SCREENER_HISTORY: dir },
    });
    return { ...ran, requests: heard.slice(before) };
  }

  /** Keeps what the user and the service have now. */
  function remember() {
    const files = createHome();
    cpSync(home.folder, files.folder, { recursive: true });
    const time = clock.now();
    const listed = { ...world };
    const before = { ...state };
    const answered = [...heard];
    return {
      /** All is again as it was then. */
      goBack(): void {
        rmSync(home.folder, { recursive: true });
        cpSync(files.folder, home.folder, { recursive: true });
        makeManifestNewest(dir);
        world.set(listed);
        Object.assign(state, before);
        heard.splice(0, heard.length, ...answered);
        // The account of the service has spent what these answers cost, and no more.
        api = openAccount();
        for (const { at, credits } of answered) {
          clock.turnTo(at);
          api.spend(credits);
        }
        clock.turnTo(time);
      },
      forget: files.remove,
    };
  }

  return {
    clock,
    dir,
    env,
    home,
    heard,
    command,
    remember,
    close: async () => {
      await served.close();
      home.remove();
    },
    /** One run of `signals export`. */
    export: (...words: string[]) => command('signals', 'export', ...words),
    /** The service behaves otherwise from now on. */
    answerInstead(next: CronOptions['instead']): void {
      state.instead = next;
    },
    /** Milliseconds by which the Date header of answers is ahead of the service's own time. */
    set headerAhead(millis: number) {
      state.headerAhead = millis;
    },
    /** Milliseconds by which this user's machine is ahead of the service. */
    set machineAhead(millis: number) {
      state.machineAhead = millis;
    },
    set details(next: readonly SignalDetail[]) {
      world.set(listedInTime(next));
    },
    /** Lines of the notebook. */
    notebook: (): Finding[] => {
      const path = join(dir, 'findings.ndjson');
      return existsSync(path) ? parseLines(readFileSync(path, 'utf8')) : [];
    },
    /** Cards in the month files, oldest first. */
    cards: () => stored(dir),
    manifest: (): ExportManifest => JSON.parse(readFileSync(join(dir, 'export.json'), 'utf8')),
    /** Details that were answered with 200, by card. */
    bought(): ReadonlyMap<number, number> {
      const times = new Map<number, number>();
      for (const { operation, query, status } of heard) {
        if (operation !== 'signal' || status !== 200) continue;
        times.set(Number(query.id), 1 + (times.get(Number(query.id)) ?? 0));
      }
      return times;
    },
  };
}

/** Makes `export.json` newer than every month, as an export leaves it. */
export function makeManifestNewest(dir: string): void {
  const manifest = join(dir, 'export.json');
  const changedAt = (path: string) => statSync(path).ctimeMs;
  const newestMonth = Math.max(...monthFiles(dir).map((name) => changedAt(join(dir, name))));
  const now = new Date();
  // The disk's clock ticks every few milliseconds.
  while (changedAt(manifest) <= newestMonth) utimesSync(manifest, now, now);
}

const LIST_ONLY = ['--no-outcomes', '--no-screeners', '--no-stats'];

/** A history that is unread for days between its first run and a page of the newest cards. The service refuses them from now on. */
export async function cronWithRefusedDays(): Promise<Cron> {
  const begun = NOW - 4 * DAY;
  const cron = await startCron({ details: cardsAnHourApart(240), start: begun });
  await cron.export(...LIST_ONLY, '--since', '3d');
  await cron.clock.sleep(4 * DAY);
  await cron.export(...LIST_ONLY, '--max-credits', '1');
  cron.answerInstead(({ operation, query }) =>
    operation === 'signals' && Date.parse(query.until ?? '') > begun ? failure(422) : undefined,
  );
  return cron;
}
