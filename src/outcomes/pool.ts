/**
 * Counts ranges on as many threads as the machine has cores; a small history on the main thread alone, where starting
 * a thread would take longer than counting.
 */
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Filter } from '../history/filter.ts';
import { storageError } from '../history/storage.ts';
import { type Range, tallyRange } from './range.ts';
import { type GroupBy, Tally, type TallyParts } from './tally.ts';

export interface Question {
  readonly filter: Filter;
  readonly by: GroupBy | undefined;
}

export type Answer =
  | { readonly parts: TallyParts; readonly damaged: number }
  | { readonly failure: { readonly message: string; readonly code: string | undefined } };

/** With fewer ranges than this a thread does not pay. */
const LEAST_FOR_THREADS = 4;

/**
 * Adds all ranges to the tally.
 * @returns lines that are no cards, by file
 * @throws ScreenerError storage; the signal's reason when interrupted
 */
export async function tallyRanges(
  ranges: readonly Range[],
  { filter, by, signal }: Question & { readonly signal?: AbortSignal | undefined },
  tally: Tally,
): Promise<Map<string, number>> {
  const damaged = new Map<string, number>();
  const todo = ranges[Symbol.iterator]();
  const add = (range: Range, answer: Answer) => {
    if ('failure' in answer) {
      const cause = Object.assign(new Error(answer.failure.message), { code: answer.failure.code });
      throw storageError(cause, `read ${range.path}`);
    }
    tally.merge(answer.parts);
    if (answer.damaged > 0) damaged.set(range.path, (damaged.get(range.path) ?? 0) + answer.damaged);
  };
  const file = ranges.length < LEAST_FOR_THREADS ? undefined : workerFile();
  const helpers = file === undefined ? 0 : Math.min(availableParallelism() - 1, ranges.length - 1, 7);
  const workers = Array.from({ length: helpers }, () => new Worker(file ?? '', { workerData: { filter, by } }));
  try {
    await Promise.all([
      ...workers.map(async (worker) => {
        for (const range of todo) {
          signal?.throwIfAborted();
          add(range, await ask(worker, range));
        }
      }),
      countHere(),
    ]);
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
  return damaged;

  /** This thread counts too, and looks up between ranges: for what the others have, and for Ctrl-C. */
  async function countHere(): Promise<void> {
    for (const range of todo) {
      signal?.throwIfAborted();
      const part = new Tally(by);
      try {
        add(range, { damaged: tallyRange(range, filter, part), parts: part.parts() });
      } catch (cause) {
        throw storageError(cause, `read ${range.path}`);
      }
      await new Promise(setImmediate);
    }
  }
}

function ask(worker: Worker, range: Range): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const onMessage = (answer: Answer) => settle(() => resolve(answer));
    const onError = (cause: unknown) => settle(() => reject(cause));
    const onExit = () => settle(() => reject(new Error('A thread ended early.')));
    const settle = (then: () => void) => {
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      then();
    };
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
    worker.postMessage(range);
  });
}

/** Beside the bundle; undefined when running from source, where one thread does it all. */
function workerFile(): string | undefined {
  const path = fileURLToPath(new URL('../history/stats/stats-worker.cjs', import.meta.url));
  return existsSync(path) ? path : undefined;
}
