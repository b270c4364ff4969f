import { OUTCOME_MILLIS } from '../../src/api/contract/horizons.ts';
import type { SignalDetail } from '../../src/api/contract/resources.ts';
import { run as runStats } from '../../src/commands/stats-local.ts';
import { History } from '../../src/history/store/history.ts';
import type { GroupFigures } from '../../src/outcomes/figure-table.ts';
import { figuresOf } from '../../src/outcomes/figures.ts';
import { type HistoryCard, historyCardOf } from '../../src/outcomes/history-card.ts';
import type { Evidence, Question } from '../../src/outcomes/question.ts';
import { lastSittings } from '../../src/outcomes/service-answers.ts';
import type { KnownScreeners } from '../../src/outcomes/standing.ts';
import { createOutput } from '../../src/output/output.ts';
import { invocationOf } from '../history/support.ts';
import { testContext } from '../support/context.ts';
import { card, measuredDetail } from '../support/samples.ts';

/** A card as the service would give it. */
export function detailOf({ id, symbol, type, at, outcomes }: HistoryCard): SignalDetail {
  const created_at = new Date(at).toISOString();
  const given = card({ id, created_at, source_symbol: symbol, source_bot_type: type });
  const none = { state: 'undefined', move: null, btc: null };
  return measuredDetail(given, (name) => ({
    ...none,
    ...outcomes?.[name],
    state: String(outcomes?.[name].state),
  }));
}

/** What is known of the screeners of a history with these cards. @param until up to when it is listed, epoch milliseconds UTC */
export function knownScreeners(
  screeners: KnownScreeners['screeners'],
  cards: readonly HistoryCard[],
  until: number,
): KnownScreeners {
  return {
    screeners,
    offSince: new Map(),
    firstCardAt: Math.min(...cards.map(({ at }) => at)),
    until,
    isListed: true,
    dueAfter: OUTCOME_MILLIS,
  };
}

/** Cards as the figures take them. */
export function rowsOf(cards: readonly Pick<SignalDetail, 'id' | 'created_at'>[]): HistoryCard[] {
  return cards.map((card) => historyCardOf({ ...card }, Date.parse(card.created_at)));
}

/** What a question is answered from: without answers, changes or a notebook, unless they are given. */
export function evidenceOf(
  cards: readonly HistoryCard[],
  { now, answers = [], until = now, ...more }: Partial<Evidence> & Pick<Evidence, 'now'>,
): Evidence {
  return {
    cards,
    answers,
    lastAsked: lastSittings(answers, now),
    settingsSince: new Map(),
    findings: undefined,
    now,
    until,
    dueUntil: now - OUTCOME_MILLIS,
    ...more,
  };
}

/** The figures of each group. */
export function groupsOf(evidence: Evidence, question: Question): readonly GroupFigures[] {
  return figuresOf(evidence, question).groups.map(({ figures }) => figures);
}

/** The page for people. @param width columns of the terminal; undefined for a pipe */
export async function statsPage(
  {
    directory,
    ...options
  }: Omit<Parameters<typeof runStats>[1], 'history'> & { readonly directory: string },
  width: number | undefined,
): Promise<string> {
  const context = testContext(width === undefined ? {} : { width });
  const invocation = invocationOf({ format: 'table' });
  const output = createOutput({
    context,
    format: 'table',
    fields: undefined,
    notes: invocation.notes,
    color: false,
  });
  await runStats(
    { ...invocation, context, output },
    { ...options, history: new History(directory, invocation.notes, context.clock) },
  );
  return context.stdout.text;
}
