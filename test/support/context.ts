import { PassThrough } from 'node:stream';
import { OutputClosed } from '../../src/errors.ts';
import type { Clock } from '../../src/runtime/clock.ts';
import type { Context } from '../../src/runtime/context.ts';
import { Secrets } from '../../src/runtime/context.ts';
import type { Sink } from '../../src/runtime/streams.ts';

/** A Sink that remembers; once `closed`, it behaves like a pipe whose reader has left. */
class MemorySink implements Sink {
  readonly isTTY: boolean;
  readonly columns: number | undefined;
  readonly rows: number | undefined;
  readonly writes: string[] = [];
  closed = false;
  stream?: NodeJS.WriteStream;

  constructor(columns?: number, rows?: number) {
    this.isTTY = columns !== undefined;
    this.columns = columns;
    this.rows = rows;
  }

  get text(): string {
    return this.writes.join('');
  }

  async write(text: string): Promise<void> {
    if (this.closed) throw new OutputClosed();
    this.writes.push(text);
  }
}

/** A clock that stands still until somebody sleeps: a sleep takes no real time and moves the clock on. */
export class TestClock implements Clock {
  readonly sleeps: number[] = [];
  #now: number;

  constructor(now = Date.UTC(2026, 10, 20, 18, 5)) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  /** Shows another time, also an earlier one. */
  turnTo(time: number): void {
    this.#now = time;
  }

  async sleep(millis: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    this.sleeps.push(millis);
    this.#now += millis;
    await new Promise(setImmediate);
    signal?.throwIfAborted();
  }
}

export interface TestContextOptions
  extends Partial<Pick<Context, 'argv' | 'env' | 'clock' | 'signal'>> {
  /** Columns of stdout; undefined: a pipe. */
  readonly width?: number;
  /** Rows of stdout's terminal. */
  readonly height?: number | undefined;
  /** Columns of stderr; undefined: a pipe. */
  readonly errorWidth?: number;
  readonly directories?: { config: string; state: string; data?: string; cache?: string };
}

/** A Context in memory: nothing outside is touched unless directories are given. Its time is 2026-11-20 18:05 UTC. */
export function testContext({
  width,
  height,
  errorWidth,
  directories,
  ...given
}: TestContextOptions = {}) {
  return {
    argv: [],
    env: {},
    stdin: new PassThrough(),
    stdout: new MemorySink(width, height),
    stderr: new MemorySink(errorWidth),
    clock: new TestClock(),
    signal: new AbortController().signal,
    directories: {
      config: '/nonexistent/config',
      state: '/nonexistent/state',
      data: '/nonexistent/data',
      cache: '/nonexistent/cache',
      ...directories,
    },
    secrets: new Secrets(),
    random: () => 0.5,
    ...given,
  };
}
