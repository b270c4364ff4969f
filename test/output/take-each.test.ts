/** The order in which the batches of a list are written. */
import { expect, it } from 'vitest';
import { takeEach } from '../../src/output/formats.ts';

/** Notes when something begins, and when it is done a moment later. */
function noting(notes: string[]) {
  return async (name: string) => {
    notes.push(`${name} begins`);
    await new Promise(setImmediate);
    notes.push(`${name} is done`);
  };
}

async function* batchesOf(...batches: (readonly number[] | Error)[]) {
  for (const batch of batches) {
    if (batch instanceof Error) throw batch;
    yield batch;
  }
}

it('a batch is written whole before the next, and the end after all', async () => {
  const notes: string[] = [];
  const note = noting(notes);
  await takeEach(
    batchesOf([1], [2]),
    (batch) => note(`batch ${batch}`),
    (isWhole) => note(isWhole ? 'end' : 'broken end'),
  );
  expect(notes).toEqual([
    'batch 1 begins',
    'batch 1 is done',
    'batch 2 begins',
    'batch 2 is done',
    'end begins',
    'end is done',
  ]);
});

it('a list that fails has its end before the error', async () => {
  const notes: string[] = [];
  const note = noting(notes);
  const end = (isWhole: boolean) => note(isWhole ? 'end' : 'broken end');
  const failing = takeEach(
    batchesOf([1], new Error('lost')),
    (batch) => note(`batch ${batch}`),
    end,
  );
  await expect(failing).rejects.toThrow('lost');
  expect(notes.slice(2)).toEqual(['broken end begins', 'broken end is done']);
});
