/** The program itself, over HTTP, as cron runs it: one user, one service, and a clock that only the test and waits move. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { SignalDetail } from '../../src/api/contract/resources.ts';
import { OPERATION_NAMES, OPERATIONS, type OperationName } from '../../src/api/operations.ts';
import type { ExportManifest } from '../../src/history/store/manifest.ts';
import type { Finding } from '../../src/outcomes/findings.ts';
import { type ApiRequest, type ApiResponse, failure } from '../../src/sandbox/response.ts';
import { serve } from '../../src/sandbox/sandbox.ts';
import type { World } from '../../src/sandbox/world.ts';
import { aMinute } from '../support/allowances.ts';
import { TestClock } from '../support/context.ts';
import { parseLines } from '../support/fixtures.ts';
import { createHome } from '../support/home.ts';
import { runHere } from '../support/in-process.ts';
import { changing, createApi, type SandboxOptions, worldOf } from '../support/sandbox.ts';
import { cardsAnHourApart, DAY, NOW, stored } from './support.ts';

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

export type Cron = Awaited<ReturnType<typeof startCron>>;

/** Lists a card from its `created_at` on. */
function listedInTime(details: readonly SignalDetail[]): World {
  const world = worldOf(details);
  return { ...world, index: (now) => world.index(now).filter(({ createdAt }) => createdAt <= now) };
}

/** A service with these cards, and a user whose cron exports them into one directory. */
export async function startCron({
  details,
  start,
  instead,
  dated = true,
  ...options
}: CronOptions) {
  const clock = new TestClock(start);
  const world = changing(listedInTime(details));
  const api = createApi({
    allowances: aMinute(1_000_000),
    now: () => clock.now(),
    world,
    ...options,
  });
  const heard: (Heard & {
    /** 0 where no whole answer came. */ readonly status: number;
    readonly credits: number;
  })[] = [];
  const state = { instead, headerAhead: 0 };

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
    const hasAnswer = response.wire === 'whole';
    heard.push({ ...asked, status: hasAnswer ? response.status : 0, credits: response.credits });
    return response;
  }

  const date = () => clock.now() + state.headerAhead;
  const served = await serve(answer, dated ? { now: date } : {});
  const home = createHome();
  onTestFinished(async () => {
    await served.close();
    home.remove();
  });
  const env = { SCREENER_BASE_URL: served.baseUrl, SCREENER_API_KEY: api.key };
  const dir = join(home.folder, 'history');

  /** Any command line of this user. @returns what it said, with the requests that it sent */
  async function command(...words: string[]) {
    const before = heard.length;
    const ran = await runHere(words, { home, clock, env: { ...env, SCREENER_HISTORY: dir } });
    return { ...ran, requests: heard.slice(before) };
  }

  return {
    clock,
    dir,
    env,
    home,
    heard,
    command,
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

const LIST_ONLY = ['--no-outcomes', '--no-screeners', '--no-stats'];

/** A history with a hole of days between its first run and a page of the newest cards. From now on the service refuses the hole. */
export async function cronWithRefusedHole(): Promise<Cron> {
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
