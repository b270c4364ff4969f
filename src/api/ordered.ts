/** Yields results and failures in the items' order; aborts what is under way once the caller stops reading. */
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
