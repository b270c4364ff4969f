/**
 * Runs `work` over `items`, at most `concurrency` of them at a time, and yields the results in the items' order. A
 * failure is a result like any other. When the caller stops reading, nothing new is started and what is under way is
 * aborted.
 */
export async function* inOrder<Item, Result>(
  items: readonly Item[],
  concurrency: number,
  signal: AbortSignal,
  work: (item: Item, signal: AbortSignal) => Promise<Result>,
): AsyncGenerator<{ item: Item; result: PromiseSettledResult<Result> }> {
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  const ahead: Promise<{ item: Item; result: PromiseSettledResult<Result> }>[] = [];
  const start = async (item: Item) => {
    const [result] = await Promise.allSettled([work(item, either)]);
    return { item, result };
  };
  try {
    for (const [index] of items.entries()) {
      for (const item of items.slice(index + ahead.length, index + concurrency)) ahead.push(start(item));
      const first = ahead.shift();
      if (first !== undefined) yield await first;
    }
  } finally {
    stop.abort(new Error('no longer wanted'));
    await Promise.all(ahead);
  }
}
