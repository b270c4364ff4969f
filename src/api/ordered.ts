/** Yields results and failures in the items' order; aborts what is under way once the caller stops reading. */
export async function* inOrder<Item, Result>(
  items: readonly Item[],
  concurrency: number,
  signal: AbortSignal,
  work: (item: Item, signal: AbortSignal) => Promise<Result>,
): AsyncGenerator<{ item: Item; result: PromiseSettledResult<Result> }> {
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  const started: Promise<PromiseSettledResult<Result>[]>[] = [];
  try {
    for (const [index, item] of items.entries()) {
      const next = items.slice(started.length, index + concurrency);
      started.push(...next.map((one) => Promise.allSettled([work(one, either)])));
      for (const result of (await started[index]) ?? []) yield { item, result };
    }
  } finally {
    stop.abort(new Error('no longer wanted'));
    await Promise.all(started);
  }
}
