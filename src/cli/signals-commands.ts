import { type Command, Option } from 'commander';
import { durationFlag } from '../commands/flags/duration.ts';
import { momentFlag } from '../commands/flags/moment.ts';
import { cursorFlag, symbolFlag, textFlag, wholeNumberFlag } from '../commands/flags/values.ts';
import type { ListOptions } from '../commands/list-options.ts';
import type { WatchOptions } from '../commands/signals-watch.ts';
import { usageError } from '../errors.ts';
import { cardFields, detailFields } from '../output/views/card-fields.ts';
import { exportSummaryView } from '../output/views/export-summary.ts';
import type { Context } from '../runtime/context.ts';
import { action } from './action.ts';
import { explain } from './help.ts';

interface RawList {
  since?: string;
  until?: string;
  symbol?: string;
  type?: string;
  cursor?: string;
  limit?: string;
  all?: true;
  outcomes?: true;
  from?: string;
}

const TIMES = 'ISO 8601, a date, a duration back from now, today or yesterday (UTC)';
const DEFAULT_CARDS = 25;

/** signals ls, show, export, watch. */
export function addSignals(program: Command, context: Context): void {
  const signals = explain(
    program.command('signals').helpCommand(false).description('List, show, export and watch your signal cards'),
    {
      cost: 'see each command; with --from DIR always 0 credits',
      about: 'A card is a recorded notification: what a screener of yours saw, and later what the price did.',
      examples: [
        ['screener signals ls --since 24h', 'the cards of the last day'],
        ['screener signals show 4711', 'one card with its outcome'],
        ['screener signals export ~/signals', 'keep a local history, for cron'],
      ],
      output: "Each command's help lists its fields.",
      exits: [0, 2],
    },
  );
  addList(signals, context);
  addShow(signals, context);
  addExport(signals, context);
  addWatch(signals, context);
}

function addList(signals: Command, context: Context): void {
  const command = signals
    .command('ls')
    .alias('list')
    .description('List your recorded cards, newest first')
    .addOption(new Option('--since <time>', `cards from then on: ${TIMES}`))
    .addOption(new Option('--until <time>', 'cards up to then'))
    .addOption(new Option('--symbol <symbol>', 'cards of one symbol, for example BTCUSDT'))
    .addOption(new Option('--type <type>', "cards of one screener type (the API's screener_type)"))
    .addOption(new Option('--cursor <cursor>', 'go on from the next_cursor of an earlier page'))
    .addOption(new Option('-n, --limit <n>', `cards in all (default: ${DEFAULT_CARDS})`))
    .addOption(new Option('--all', 'every card'))
    .addOption(new Option('--outcomes', "each card's outcome too, 1 credit a card more"))
    .addOption(new Option('--from <dir>', 'read a local history instead, for 0 credits'));
  explain(command, {
    cost: '1 credit per page of up to 25 cards; with --outcomes 1 more per card; with --from 0',
    examples: [
      ['screener signals ls --since 24h --symbol BTCUSDT', 'the last day of one symbol'],
      ['screener signals ls --all --ndjson | jq -r .source_symbol | sort | uniq -c', 'cards per symbol'],
      ['screener signals ls -n 5 --outcomes', 'with what happened after the trigger: 6 credits'],
    ],
    fields: cardFields,
    output: 'With --outcomes or --from also the fields of `signals show`.',
    moreFields: async () => detailFields,
    exits: [0, 2, 3, 4, 5, 6, 7, 8, 9],
  }).action(
    action<RawList, ListOptions & { from: string | undefined }>(
      context,
      async () => async (invocation, options) => {
        if (options.from === undefined) return (await import('../commands/signals-ls.ts')).run(invocation, options);
        return (await import('../commands/signals-ls-from.ts')).run(invocation, {
          ...options,
          directory: options.from,
        });
      },
      (raw) => readList(raw, context.clock.now()),
    ),
  );
}

function readList(raw: RawList, now: number): ListOptions & { from: string | undefined } {
  if (raw.all && raw.limit !== undefined)
    throw usageError('--all and --limit exclude each other.', 'Leave one of them out.');
  if (raw.from !== undefined && raw.cursor !== undefined) {
    throw usageError('--cursor is for the service, not for a local history.', 'Leave out --cursor, or --from.');
  }
  const since = raw.since === undefined ? undefined : momentFlag('--since', raw.since, now);
  const until = raw.until === undefined ? undefined : momentFlag('--until', raw.until, now);
  const limit = raw.limit === undefined ? DEFAULT_CARDS : wholeNumberFlag('--limit', raw.limit, 1);
  return {
    since,
    until,
    symbol: raw.symbol === undefined ? undefined : symbolFlag(raw.symbol),
    type: raw.type === undefined ? undefined : textFlag('--type', raw.type),
    cursor: raw.cursor === undefined ? undefined : cursorFlag(raw.cursor),
    cards: raw.all ? Number.POSITIVE_INFINITY : limit,
    outcomes: raw.outcomes === true,
    from: raw.from === undefined ? undefined : textFlag('--from', raw.from),
  };
}

function addShow(signals: Command, context: Context): void {
  const command = signals
    .command('show')
    .description('Show cards with entry context and measured outcomes')
    .argument('<id...>', 'ids of cards, or - to read them from standard input')
    .addOption(new Option('--from <dir>', 'read a local history instead, for 0 credits'));
  explain(command, {
    cost: '1 credit per card; with --from 0',
    about: 'Several cards come in the order asked for. What succeeded is printed even when another card fails.',
    examples: [
      ['screener signals show 4711', 'one card, as a page'],
      ['screener signals ls --since 1d --ndjson | screener signals show - --ndjson', 'details of the last day'],
    ],
    fields: detailFields,
    exits: [0, 2, 3, 4, 5, 6, 7, 8, 9],
  }).action(
    action<{ from?: string }, { ids: string[]; from: string | undefined }>(
      context,
      async () =>
        async (invocation, { ids, from }) => {
          if (from === undefined) return (await import('../commands/signals-show.ts')).run(invocation, { ids });
          return (await import('../commands/signals-show-from.ts')).run(invocation, { ids, directory: from });
        },
      (raw, ids) => ({ ids, from: raw.from === undefined ? undefined : textFlag('--from', raw.from) }),
    ),
  );
}

function addExport(signals: Command, context: Context): void {
  const command = signals
    .command('export')
    .description('Keep a local history up to date, for as few credits as possible')
    .argument('<dir>', 'directory of the history; made when it does not exist')
    .addOption(new Option('--since <time>', `how far back: ${TIMES} (default: everything)`))
    .addOption(new Option('--no-outcomes', 'cards only, no outcomes'));
  explain(command, {
    cost: '1 credit per 25 new cards (at least 1), and 1 per outcome that has become due',
    about:
      "Made for cron. Each card's outcome is bought once, when its 24 h are over. A run that is stopped, killed or out of\n" +
      'credits loses nothing that was paid for; the next one goes on.',
    examples: [
      ['screener signals export ~/signals', ''],
      ['screener signals export ~/signals --plan', 'what a run would cost'],
      ['screener signals export ~/signals --max-credits 40 --quiet', 'in a crontab'],
    ],
    fields: exportSummaryView.fields,
    output: 'As a table nothing is printed but the summary line on standard error.',
    exits: [0, 1, 2, 3, 4, 6, 7, 8, 9],
  }).action(
    action<{ since?: string; outcomes: boolean }, { directory: string; since: number | undefined; outcomes: boolean }>(
      context,
      async () => (await import('../commands/signals-export.ts')).run,
      (raw, [directory = '']) => ({
        directory: textFlag('The directory', directory),
        since: raw.since === undefined ? undefined : momentFlag('--since', raw.since, context.clock.now()),
        outcomes: raw.outcomes,
      }),
    ),
  );
}

interface RawWatch {
  every?: string;
  symbol?: string;
  type?: string;
  since?: string;
  resume?: true;
}

function addWatch(signals: Command, context: Context): void {
  const command = signals
    .command('watch')
    .description('Print new cards as they come, until Ctrl-C')
    .addOption(
      new Option('--every <duration>', 'how often to look, a minute or more (default: what the credits allow)'),
    )
    .addOption(new Option('--symbol <symbol>', 'cards of one symbol, for example BTCUSDT'))
    .addOption(new Option('--type <type>', "cards of one screener type (the API's screener_type)"))
    .addOption(new Option('--since <time>', `start with the cards from then on: ${TIMES} (default: now)`))
    .addOption(new Option('--resume', 'go on where the last watch with the same filters stopped'));
  explain(command, {
    cost: '1 credit a look; by default as often as the credits left allow until they reset',
    about: 'Tables or NDJSON. Outages, quota ends and Retry-After are waited out without missing a card.',
    examples: [
      ['screener signals watch --symbol BTCUSDT', ''],
      ['screener signals watch --every 10m --ndjson | jq -r .url', '144 credits a day'],
    ],
    fields: cardFields,
    exits: [0, 2, 3, 4, 6, 7, 8, 9, 130],
  }).action(
    action<RawWatch, WatchOptions>(
      context,
      async () => (await import('../commands/signals-watch.ts')).run,
      (raw) => {
        if (raw.resume && raw.since !== undefined) {
          throw usageError('--resume and --since exclude each other.', 'Leave one of them out.');
        }
        return {
          every: raw.every === undefined ? undefined : durationFlag('--every', raw.every),
          symbol: raw.symbol === undefined ? undefined : symbolFlag(raw.symbol),
          type: raw.type === undefined ? undefined : textFlag('--type', raw.type),
          since: raw.since === undefined ? undefined : momentFlag('--since', raw.since, context.clock.now()),
          resume: raw.resume === true,
        };
      },
    ),
  );
}
