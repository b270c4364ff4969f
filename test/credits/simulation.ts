import type { AccountOptions } from '../../src/credits/account.ts';
import { FakeClock, ledgerText, request, startProcess } from './world.ts';

export interface Plan {
  /** Milliseconds after the beginning. */
  readonly start: number;
  /** Latency of each of its requests, milliseconds; one after the other, or all at once. */
  readonly latencies: readonly number[];
  readonly atOnce: boolean;
  /** It dies where it looks at the clock for this many times: before any of its writes, or between two of them. */
  readonly diesAtLook?: number | undefined;
  /** Ctrl-C this long after its start. */
  readonly stopsAfter?: number | undefined;
}

/** What really happened to one request, as somebody would know who sees everything. In the order of reservation. */
export interface Seen {
  readonly process: number;
  reserved: number;
  sent?: number;
  /** Answered, or its process died while it was under way. */
  over?: number;
  /** Whether `over` is its process's death: others learn of that only when they look. */
  died?: boolean;
  /** Given up, or its process died, before it was sent. */
  givenUp?: number;
}

/** Serial numbers of a process's requests that the ledger calls sent. */
function announcedBy(directory: string, pid: number): Set<number> {
  const ids = ledgerText(directory).matchAll(new RegExp(`"id":"${pid}\\.(\\d+)\\.`, 'g'));
  return new Set([...ids].map(([, serial]) => Number(serial)));
}

class Died extends Error {}

/** Runs processes of one account on one clock against one directory, until all are done. */
export async function simulate(directory: string, perMinute: number, plans: readonly Plan[]): Promise<Seen[]> {
  const clock = new FakeClock();
  startProcess(clock, directory).account.observe({
    credits: { used: 0, limit: 1000, remaining: 1000, resets_at: '2026-12-01T00:00:00Z' },
    per_minute: perMinute,
  });
  const all: Seen[] = [];
  const dead = new Set<number>();
  let running = plans.length;
  const options: Partial<AccountOptions> & { alive: (pid: number) => boolean } = { alive: (pid) => !dead.has(pid) };
  plans.forEach(async (plan, index) => {
    await clock.sleep(plan.start);
    await runOne(clock, directory, plan, index, { all, dead, options });
    running -= 1;
  });
  for (let minutes = 0; running > 0; minutes += 1) {
    if (minutes > 120) throw new Error('some process waits for ever');
    await clock.advance(60_000);
  }
  return all;
}

async function runOne(
  clock: FakeClock,
  directory: string,
  plan: Plan,
  index: number,
  shared: { all: Seen[]; dead: Set<number>; options: Partial<AccountOptions> & { alive: (pid: number) => boolean } },
): Promise<void> {
  let looks = Number.NEGATIVE_INFINITY;
  let died = false;
  const mine: Seen[] = [];
  const die = () => {
    died = true;
    shared.dead.add(process.pid);
    // Killed between the line that says it leaves and its leaving: nobody can know that it did not leave.
    const announced = announcedBy(directory, process.pid);
    mine.forEach((seen, serial) => {
      if (seen.sent !== undefined || announced.has(serial + 1)) {
        seen.died = seen.over === undefined;
        seen.over ??= clock.now();
      } else seen.givenUp ??= clock.now();
    });
  };
  const mortal = {
    now: () => {
      looks += 1;
      if (looks === plan.diesAtLook && !died) die();
      if (died) throw new Died();
      return clock.now();
    },
    sleep: clock.sleep,
  };
  const process = startProcess(mortal, directory, shared.options);
  // Opening writes nothing, so only what comes after it is worth dying in.
  looks = 0;
  if (plan.stopsAfter !== undefined) {
    void clock.sleep(plan.stopsAfter).then(() => process.stop.abort(new Error('stopped')));
  }
  const one = async (latency: number) => {
    const seen: Seen = { process: index, reserved: clock.now() };
    mine.push(seen);
    shared.all.push(seen);
    try {
      const turn = await process.account.gate.enter(request('/signals', 1, 1, 30_000));
      seen.sent = clock.now();
      if (latency > 0) await clock.sleep(latency);
      if (died) return;
      turn.settle({ status: 200 });
      seen.over = clock.now();
    } catch (error) {
      if (seen.sent === undefined && !died) seen.givenUp ??= clock.now();
      if (!(error instanceof Died) && !process.stop.signal.aborted) throw error;
    }
  };
  if (plan.atOnce) {
    await Promise.all(plan.latencies.map(one));
    return;
  }
  for (const latency of plan.latencies) {
    if (died || process.stop.signal.aborted) return;
    await one(latency);
  }
}
