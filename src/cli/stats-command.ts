import { type Command, Option } from 'commander';
import { momentFlag } from '../commands/flags/moment.ts';
import { textFlag } from '../commands/flags/values.ts';
import { usageError } from '../errors.ts';
import { statsView } from '../output/views/stats.ts';
import type { Context } from '../runtime/context.ts';
import { action } from './action.ts';
import { explain } from './help.ts';

export const GROUPS = ['type', 'symbol', 'day'] as const;
export type GroupBy = (typeof GROUPS)[number];

interface RawStats {
  type?: string;
  from?: string;
  since?: string;
  until?: string;
  by?: string;
}

export interface StatsChoice {
  type: string | undefined;
  /** Set for a local history; the other three only go with it. Times in epoch milliseconds UTC. */
  from: string | undefined;
  since: number | undefined;
  until: number | undefined;
  by: GroupBy | undefined;
}

export function addStats(program: Command, context: Context): void {
  const command = program
    .command('stats')
    .description('Show outcome statistics of the last 30 days')
    .addOption(new Option('--type <type>', "one screener type only (the API's screener_type)"))
    .addOption(new Option('--from <dir>', 'compute them from a local history instead, for 0 credits'))
    .addOption(new Option('--since <time>', 'with --from: cards from then on'))
    .addOption(new Option('--until <time>', 'with --from: cards up to then'))
    .addOption(new Option('--by <group>', 'with --from: one group per type, symbol or day'));
  explain(command, {
    cost: '5 credits, after saying how many are left; with --from 0',
    about: 'Price movements after a trigger, each horizon on its own sample. They are not trading profit.',
    examples: [
      ['screener stats', ''],
      ['screener stats --from ~/signals --by type', 'from a local history: free, any period, with intervals'],
      ['screener stats --json | jq \'.horizons."24h".median_move_pct\'', ''],
    ],
    fields: statsView.fields,
    output: 'With --from more: quartiles, 95 % intervals, shares; `screener stats --from DIR --json` shows them.',
    moreFields: async () => {
      const { groupView, historyStatsView } = await import('../output/views/history-stats.ts');
      return [...historyStatsView.fields, ...groupView.fields];
    },
    exits: [0, 2, 3, 4, 6, 7, 8, 9],
  }).action(
    action<RawStats, StatsChoice>(
      context,
      async () => async (invocation, choice) => {
        const { from } = choice;
        if (from === undefined) return (await import('../commands/stats.ts')).run(invocation, choice);
        return (await import('../commands/stats-from.ts')).run(invocation, { ...choice, directory: from });
      },
      (raw) => readStats(raw, context.clock.now()),
    ),
  );
}

function readStats(raw: RawStats, now: number): StatsChoice {
  for (const name of ['since', 'until', 'by'] as const) {
    if (raw.from === undefined && raw[name] !== undefined) {
      throw usageError(
        `--${name} needs --from: the service's own statistics always cover the last 30 days.`,
        `\`screener signals export DIR\` keeps a history; then screener stats --from DIR --${name} …`,
      );
    }
  }
  const by = GROUPS.find((group) => group === raw.by);
  if (raw.by !== undefined && by === undefined) throw usageError(`--by takes ${GROUPS.join(', ')}, not '${raw.by}'.`);
  const since = raw.since === undefined ? undefined : momentFlag('--since', raw.since, now);
  const until = raw.until === undefined ? undefined : momentFlag('--until', raw.until, now);
  return {
    type: raw.type === undefined ? undefined : textFlag('--type', raw.type),
    from: raw.from === undefined ? undefined : textFlag('--from', raw.from),
    since,
    until,
    by,
  };
}
