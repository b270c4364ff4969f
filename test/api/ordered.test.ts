import { describe, expect, it } from 'vitest';
import { inOrder } from '../../src/api/ordered.ts';
import { event } from '../support/server.ts';

const never = new AbortController().signal;

describe('inOrder', () => {
  it('keeps the order, whatever finishes first', async () => {
    const out: number[] = [];
    const finished = Array.from({ length: 6 }, event);
    // Each of the first three ends when the one after it has.
    const work = async (item: number) => {
      if (item < 3) await finished[item + 1]?.happened;
      finished[item]?.happen();
      return item * 10;
    };
    for await (const { result } of inOrder([1, 2, 3, 4], 3, never, work)) {
      if (result.status === 'fulfilled') out.push(result.value);
    }
    expect(out).toEqual([10, 20, 30, 40]);
  });

  it('passes failures on as results', async () => {
    const states: string[] = [];
    const work = async (item: number) => {
      if (item === 2) throw new Error('two');
      return item;
    };
    for await (const { item, result } of inOrder([1, 2, 3], 2, never, work)) states.push(`${item} ${result.status}`);
    expect(states).toEqual(['1 fulfilled', '2 rejected', '3 fulfilled']);
  });

  it('starts at most so many ahead, and nothing for a reader that stopped', async () => {
    let started = 0;
    let aborted = 0;
    const work = (item: number, signal: AbortSignal) => {
      started += 1;
      if (item === 0) return Promise.resolve(item);
      return new Promise<number>((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          aborted += 1;
          reject(signal.reason);
        });
      });
    };
    for await (const _ of inOrder([0, 1, 2, 3, 4, 5, 6, 7], 3, never, work)) break;
    expect(started).toBe(3);
    expect(aborted).toBe(2);
  });
});
