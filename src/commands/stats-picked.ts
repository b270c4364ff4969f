/** `screener stats --local --picked FILE`: did I pick well? Reads a history, sends nothing. */
import { type HorizonName, MAIN_HORIZON, OUTCOME_MILLIS } from '../api/contract/horizons.ts';
import { formatApiTime } from '../api/time.ts';
import { isWithoutFigureForGood } from '../history/export/apply-journal.ts';
import { type DetailRequests, isGone } from '../history/store/manifest.ts';
import { type PicksAnswer, picksOf, purchaseOf } from '../outcomes/picks.ts';
import { DEFAULT_LEAST } from '../outcomes/question.ts';
import { isNearlyAllBought } from '../outcomes/scarcity.ts';
import {
  type PicksHead,
  type PicksPage,
  picksItems,
  picksNumbers,
  picksPage,
  picksView,
} from '../output/views/picks.ts';
import { usualShell } from '../runtime/shell-words.ts';
import { printList } from './parts/history-list.ts';
import {
  askedFor,
  checkConditions,
  EVERYTHING,
  explainEmpty,
  type Inquiry,
  inquire,
} from './parts/inquiry.ts';
import type { Invocation } from './parts/invocation.ts';
import { cardOptions, commandLine, exportCommand, pipedLine } from './parts/next-command.ts';
import { readPickedIds } from './parts/picks.ts';
import type { OfHistory } from './parts/where.ts';

export interface StatsPickedOptions extends OfHistory {
  /** A path; `-` is standard input. */
  readonly picked?: string | undefined;
  readonly horizon?: HorizonName | undefined;
  /** The smallest difference that matters, percentage points. */
  readonly least?: number;
  /** Whether the page lists each type, also one without a verdict. */
  readonly detail?: boolean;
}

export async function run(invocation: Invocation, options: StatsPickedOptions): Promise<void> {
  const { picked: file = '-', horizon = MAIN_HORIZON, least = DEFAULT_LEAST, where = [] } = options;
  await checkConditions(invocation.notes, options);
  const pickedIds = await readPickedIds(invocation, file);
  const inquiry = await readEverything(invocation, options);
  const { since, until, symbol, type } = options;
  const answer = picksOf(
    {
      cards: inquiry.evidence.cards,
      dueUntil: inquiry.evidence.now - OUTCOME_MILLIS,
      idsNoLongerBought: await readIdsNoLongerBought(options),
    },
    { kind: 'picks', ...pickedIds, since, until, symbol, type, where, horizon, least },
  );
  if (answer.picked.inHistory.length === 0) await explainEmpty(invocation, options);
  const page = pageOf(invocation, options, inquiry, answer);
  await printList(invocation, picksView, {
    items: picksItems(answer),
    head: headOf(options, inquiry, answer),
    overdue: inquiry.overdue,
    page: (render) => picksPage(page, render),
  });
}

/**
 * Reads all cards, also those that --since, --symbol and the like leave out, for two reasons. The id of such a card would
 * otherwise count as unknown. And how symbols move with BTC is estimated from all cards.
 */
function readEverything(invocation: Invocation, { history, from }: OfHistory): Promise<Inquiry> {
  return inquire(invocation, { history, from, since: EVERYTHING });
}

/** The ids of cards that exports no longer buy; empty if there is no `export.json` that can be read. */
async function readIdsNoLongerBought({ history }: OfHistory): Promise<ReadonlySet<number>> {
  const { asked = {} } = (await history.manifest()) ?? {};
  const ids = Object.keys(asked).map(Number);
  const isGivenUp = (requests: DetailRequests | undefined) =>
    requests !== undefined && (isWithoutFigureForGood(requests) || isGone(requests));
  return new Set(ids.filter((id) => isGivenUp(asked[id])));
}

function headOf(options: OfHistory, { evidence }: Inquiry, answer: PicksAnswer): PicksHead {
  const { horizon, least } = answer.question;
  return {
    ...askedFor(options),
    horizon,
    generated_at: formatApiTime(evidence.now),
    least_percentage_points: least,
    picked: picksNumbers(answer),
  };
}

/** The most ids that one command line names. More would fill the screen. */
const MOST_IDS = 50;

function pageOf(
  invocation: Invocation,
  options: StatsPickedOptions,
  { evidence }: Inquiry,
  answer: PicksAnswer,
): PicksPage {
  const { from, detail = false } = options;
  const common = { answer, isDetailed: detail };
  // `signals show` keeps outcomes only in the default history: in another one only an export buys them. And if exports buy nearly
  // all outcomes, they buy these, too.
  if (from !== undefined || isNearlyAllBought(evidence)) {
    return {
      ...common,
      idsInCommand: 0,
      buyCommand: exportCommand(invocation, from),
      isBoughtByExports: true,
    };
  }
  const { ids } = purchaseOf(answer);
  // The pipe is one line however many ids there are, and can be run again the next day. Its quotes and `jq` are for sh alone.
  const isPiped =
    ids.length > MOST_IDS && options.picked !== '-' && usualShell(invocation.context) === 'sh';
  const firstIds = ids.slice(0, MOST_IDS);
  return {
    ...common,
    idsInCommand: isPiped ? ids.length : firstIds.length,
    buyCommand: isPiped
      ? purchasePipe(invocation, options)
      : commandLine(invocation, 'signals show', {}, ...firstIds),
    isBoughtByExports: false,
  };
}

/** The line that buys all that this answer offers: `screener stats ... --json | jq '.picked.purchase[]' | screener signals show -`. */
function purchasePipe(invocation: Invocation, options: StatsPickedOptions): string {
  const { picked, horizon, least } = options;
  const answer = commandLine(invocation, 'stats', {
    '--local': true,
    '--picked': picked,
    ...cardOptions(options),
    '--horizon': horizon === MAIN_HORIZON ? undefined : horizon,
    '--least': least === DEFAULT_LEAST ? undefined : least,
    '--json': true,
  });
  const show = commandLine(invocation, 'signals show');
  return pipedLine(answer, "jq '.picked.purchase[]'", show);
}
