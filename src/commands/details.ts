import type { Client } from '../api/client.ts';
import type { SignalDetail } from '../api/contract/resources.ts';
import { inOrder } from '../api/ordered.ts';
import { type ErrorCode, ScreenerError } from '../errors.ts';
import type { Invocation } from './invocation.ts';

/** Enough to use the allowance; the gate sets the pace. */
const CONCURRENCY = 6;

/** Failures of the account, the quota or the user's will: asking for the next card would end the same way. */
const FATAL: readonly ErrorCode[] = [
  'unauthorized',
  'pro_required',
  'quota_exhausted',
  'budget_reached',
  'interrupted',
  'not_logged_in',
];

/** A 503 with a time to come back holds for every request until then. */
function concernsAll({ code, retryAfter }: ScreenerError): boolean {
  return FATAL.includes(code) || (code === 'unavailable' && retryAfter !== undefined);
}

type DetailResult =
  | { readonly id: number; readonly detail: SignalDetail }
  /** `skipped`: for a reason that concerns every card and was told with an earlier one. */
  | { readonly id: number; readonly error: ScreenerError; readonly skipped: boolean };

/**
 * Details of several cards, 1 credit each, in the order of `ids`. What is under way when one fails is still yielded:
 * it is paid for.
 * @throws whatever is no ScreenerError; the signal's reason when interrupted
 */
export async function* details(
  { context }: Pick<Invocation, 'context'>,
  client: Client,
  ids: readonly number[],
): AsyncGenerator<DetailResult> {
  let fatal: ScreenerError | undefined;
  const results = inOrder(ids, CONCURRENCY, context.signal, async (id, signal) => {
    if (fatal !== undefined) throw fatal;
    try {
      return await client.call('signal', { id }, signal);
    } catch (error) {
      if (error instanceof ScreenerError && concernsAll(error)) fatal ??= error;
      throw error;
    }
  });
  let told = false;
  for await (const { item: id, result } of results) {
    if (result.status === 'fulfilled') {
      yield { id, detail: result.value };
      continue;
    }
    const error: unknown = result.reason;
    if (!(error instanceof ScreenerError)) throw error;
    yield { id, error, skipped: told && concernsAll(error) };
    told ||= concernsAll(error);
  }
}
