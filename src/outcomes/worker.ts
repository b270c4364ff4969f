/**
 * The thread that counts: the entry of a bundle of its own, `dist/stats-worker.cjs`. One message in, one out, range by
 * range.
 */
import { parentPort, workerData } from 'node:worker_threads';
import type { Answer, Question } from './pool.ts';
import { type Range, tallyRange } from './range.ts';
import { Tally } from './tally.ts';

const question = workerData as Question;

parentPort?.on('message', (range: Range) => {
  const tally = new Tally(question.by);
  let answer: Answer;
  try {
    const damaged = tallyRange(range, question.filter, tally);
    answer = { parts: tally.parts(), damaged };
  } catch (cause) {
    const { message, code } = cause as NodeJS.ErrnoException;
    answer = { failure: { message, code } };
  }
  parentPort?.postMessage(answer);
});
