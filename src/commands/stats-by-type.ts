import type { SignalStats } from '../api/contract/resources.ts';
import { OPERATIONS } from '../api/operations.ts';
import { usageError } from '../errors.ts';
import { statsByTypeView } from '../output/views/stats.ts';
import { pluralize } from '../runtime/pluralize.ts';
import type { Invocation } from './invocation.ts';
import { keepAnswer, sayCreditsLeft } from './stats.ts';

interface Options {
  readonly by: string | undefined;
  readonly type: string | undefined;
  readonly sort: string | undefined;
  readonly minSample: number | undefined;
  readonly detail: boolean;
}

/**
 * `screener stats --by type`: what the service says of each of the caller's screener types, for 5 credits each and 1 for
 * their names. What it costs is said before the first; each is shown, and kept in the history, as it comes.
 * @throws ScreenerError usage for other groups: the service's statistics are by type only
 */
export async function run(invocation: Invocation, { by, type, sort, minSample, detail }: Options): Promise<void> {
  const others = { '--sort': sort, '--min-sample': minSample, '--detail': detail || undefined, '--type': type };
  const other = Object.entries(others).find(([, value]) => value !== undefined)?.[0];
  if (by !== 'type' || other !== undefined) {
    throw usageError(
      `${other ?? `--by ${by}`} needs --local or --from: the service's own statistics are by type, of the last 30 days.`,
      '`screener signals export` keeps a history.',
    );
  }
  const connection = await invocation.connect();
  const { client } = connection;
  const { items } = await client.call('screeners', {});
  const types = [...new Set(items.map((item) => item.type))];
  if (types.length > 0) {
    const cost = types.length * OPERATIONS.stats.cost;
    await sayCreditsLeft(invocation, connection, cost, ` for ${pluralize(types.length, 'type')}`);
  }
  await invocation.output.list(statsByTypeView, { batches: answers(), head: () => ({ items: [] }) });

  async function* answers(): AsyncGenerator<{ items: SignalStats[]; more: boolean }> {
    for (const [i, name] of types.entries()) {
      const stats = await client.call('stats', { screener_type: name });
      await keepAnswer(invocation, connection, name, stats);
      yield { items: [stats], more: i < types.length - 1 };
    }
  }
}
