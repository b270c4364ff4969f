import type { LookWithChanges } from '../history/store/settings-periods.ts';
import type { Difference } from '../outcomes/differences.ts';
import type { HistoryCard } from '../outcomes/history-card.ts';
import { type PastVerdict, rankStandings, type Standing } from '../outcomes/standing.ts';
import type { Cut, Tuning } from '../outcomes/tune-types.ts';
import { dayAndMonth } from '../output/format.ts';
import type { Actions } from '../output/views/actions.ts';
import type { HeadLine } from '../output/views/head-lines.ts';
import type { FocusAdvice } from '../output/views/prospect-words.ts';
import { type ComparisonOfAll, comparisonOfAll } from '../output/views/sections.ts';
import type { SettingsHistory } from '../output/views/settings-history.ts';
import { betaNotes } from '../output/views/standing-notes.ts';
import { actionFacts } from './actions.ts';
import { answerSection, type Judgements } from './answer.ts';
import { changesSection } from './changes.ts';
import { latelySection } from './lately.ts';
import { type Fact, facts, html, Markup, type MarkupPart, section } from './markup.ts';
import { numbersSection, testSentences } from './numbers.ts';
import { perDaySection, periodsOf } from './per-day.ts';
import { settingsSection } from './settings.ts';
import { spreadSection } from './spread.ts';
import { STYLE } from './style.ts';
import { titleOf } from './title.ts';

export interface ReportInput {
  readonly cards: readonly HistoryCard[];
  /** Sentences on which cards the page counts: `Cards of 1 Aug to 29 Oct.`, `Only oi_surge.` */
  readonly facts: readonly string[];
  /** Sentences on how many outcomes there are, and on what is left out: `You bought 1994 of 2499 outcomes.` */
  readonly basis: readonly string[];
  /** `Nothing exported for 15 days.`, and what to do; empty while exports run. */
  readonly overdue: string;
  /** When the history ends if exports have stopped, epoch milliseconds UTC; undefined while they run. */
  readonly endedAt: number | undefined;
  /**
   * What to keep, to drop and to change. Undefined if the page counts some cards of a type only: a type is kept or dropped
   * whole.
   */
  readonly actions: Actions | undefined;
  /** Sentences on which setting of a screener follows an advice. */
  readonly settingFor: (cut: Cut) => string;
  /** What more outcomes can show, if no type stands out. */
  readonly prospect: readonly HeadLine[];
  /** How to learn whether a type that is below the others is below BTC, too; undefined if that is no question. */
  readonly focus: FocusAdvice | undefined;
  readonly byType: Judgements;
  /** The period of the types' rates, in words: `in the last 28 days`. */
  readonly rateDays: string;
  /** What became of each verdict above or below that exports found in the days of the page. */
  readonly record: readonly PastVerdict[];
  /** A type's settings now, in parts; empty if no export recorded them. */
  readonly settingsOf: (type: string) => readonly string[];
  /** How far each card moved beyond BTC in 24 h. Only cards under the present settings of their type. */
  readonly differences: readonly Difference[];
  readonly tuning: Tuning;
  readonly settings: readonly SettingsHistory[];
  readonly changes: readonly LookWithChanges[];
  /** What stands in place of the figures if there are no cards. */
  readonly noCards: string;
  readonly footer: string;
}

/**
 * The whole page, one file that needs no other. The same history at the same time gives the same bytes. All texts are escaped
 * (see `html`); if one of the service's texts got through, the page's Content-Security-Policy would forbid it every request and
 * every script.
 */
export function reportPage(input: ReportInput): string {
  const title = titleOf(input.byType.standings, input.settings, {
    actions: input.actions,
    asOf: asOf(input),
  });
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${title}</title>
<style>${new Markup(STYLE)}</style>
</head>
<body>
<main>
<header>
<h1>${title}</h1>
${input.overdue !== '' && html`<p class="overdue">${input.overdue}</p>\n`}${findingsOf(input)}<p class="lead">${input.facts.join(' ')}</p>
</header>
${pageSections(input)}<footer><p>${input.footer}</p></footer>
</main>
</body>
</html>
`.text;
}

/** `As of 8 Oct: ` if exports stopped then; empty while they run. */
function asOf({ endedAt }: ReportInput): string {
  return endedAt === undefined ? '' : `As of ${dayAndMonth(endedAt)}: `;
}

/** What to do, below the title. */
function findingsOf(input: ReportInput): MarkupPart {
  const { cards, prospect, focus, actions, noCards } = input;
  if (cards.length === 0) return html`<p>${noCards}</p>\n`;
  const ofProspect = prospect.map((line): Fact => [line.label, line.text]);
  const ofActions = actions === undefined ? [] : actionFacts(actions);
  const ofFocus: Fact[] = focus === undefined ? [] : [['Focus', focusText(focus)]];
  return facts([...ofActions, ...ofFocus, ...ofProspect]);
}

/** The words, and the command line that they lead to, if there is one. */
function focusText({ text, command }: FocusAdvice): MarkupPart {
  return command === undefined ? text : html`${text} <code>${command}</code>`;
}

function pageSections(input: ReportInput): (Markup | undefined)[] {
  const { cards, byType, differences, changes, settingsOf, settingFor } = input;
  const { rateDays, record, tuning, endedAt } = input;
  const newest = cards[0];
  const oldest = cards.at(-1);
  if (newest === undefined || oldest === undefined) return [];
  const periods = periodsOf(oldest.at, newest.at);
  const lately = latelySection(byType.standings, { record, days: periods.days, endedAt });
  const changesOfSettings = changesSection(input.settings, hasIntervals(byType.standings));
  const areChangesShown = changesOfSettings !== undefined;
  const suggestions = input.actions?.settings?.suggestions ?? [];
  const numbers = { tuning, differences, standings: byType.standings, settingFor, suggestions };
  return [
    answerSection({
      judgements: byType,
      differences,
      days: periods.days,
      rateDays,
      // One section says what became of verdicts: the one of the last 30 days, if the page has it.
      record: lately === undefined ? record : [],
      endedAt,
    }),
    lately,
    numbersSection(numbers),
    changesOfSettings,
    settingsSection(rankStandings(byType.standings), settingsOf),
    periods.days < 3 ? undefined : perDaySection(cards, periods, changes),
    spreadSection(differences, rankStandings(byType.standings)),
    section(
      'methods',
      'How the figures are made',
      [
        methodWords(byType.standings, areChangesShown),
        ...testSentences(numbers),
        ...betaNotes(byType.standings),
        ...input.basis,
      ]
        .join(' ')
        .trim(),
    ),
  ];
}

/** Whether the picture of the types draws an interval. Then its legend explains what an interval is. */
function hasIntervals(standings: readonly Standing[]): boolean {
  return standings.some(hasInterval);
}

function hasInterval({ verdict }: Standing): boolean {
  return verdict !== null && verdict !== 'too_few_days';
}

const COMPARED_WITH_OTHERS =
  "Each card's move after the trigger, minus BTC's, is compared with the median of your other types' cards of that UTC day.";

/** What a type's cards are compared with, and how. */
const COMPARED: Readonly<Record<ComparisonOfAll, string>> = {
  others: COMPARED_WITH_OTHERS,
  btc: "Each card's move after the trigger is compared with BTC's: your other types have too few cards to compare with.",
  mixed: `${COMPARED_WITH_OTHERS} A type is compared with BTC if too few such cards came on its days.`,
};

/**
 * What each of the three levels is for. Only a page with changes of settings has all three. On other pages the legend of the first
 * picture explains the levels, 95 % and 99.7 %.
 */
const LEVELS =
  ' A verdict on a type must be 99.7 % sure, because several types are tested each day; a verdict on a change, 99 %. The 95 % intervals show how well each figure is known.';

const WHAT_FIGURES_ARE =
  'These are price movements, not trading profit. Cards of one day and of one symbol depend on each other: intervals are widened for that.';

/** How the figures are made, in sentences. @param areChangesShown whether the page has changes of settings */
function methodWords(standings: readonly Standing[], areChangesShown: boolean): string {
  const drawn = standings.filter(hasInterval);
  const comparison = comparisonOfAll(drawn.length > 0 ? drawn : standings);
  const levels = areChangesShown ? LEVELS : '';
  return `${COMPARED[comparison]} ${WHAT_FIGURES_ARE}${levels}`;
}
