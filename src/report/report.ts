import type { LookWithChanges } from '../history/store/settings-periods.ts';
import type { Difference } from '../outcomes/differences.ts';
import type { Row } from '../outcomes/row.ts';
import { type PastVerdict, rankStandings, type Standing } from '../outcomes/standing.ts';
import type { Cut, Tuning } from '../outcomes/tune-types.ts';
import { dayAndMonth } from '../output/format.ts';
import type { Actions } from '../output/views/actions.ts';
import { noCardsText } from '../output/views/card-lists.ts';
import type { HeadLine } from '../output/views/head-lines.ts';
import { type ComparisonOfAll, comparisonOfAll } from '../output/views/sections.ts';
import type { SettingsHistory } from '../output/views/settings-history.ts';
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
  readonly cards: readonly Row[];
  /** Whose cards the page is of, and of which, a sentence each. */
  readonly facts: readonly string[];
  /** How many outcomes there are, and what is left out, a sentence each. */
  readonly basis: readonly string[];
  /** That nothing was exported of late; empty if exports do their work. */
  readonly overdue: string;
  /** Where the history ends if nothing was exported of late, epoch milliseconds UTC; undefined if exports do their work. */
  readonly endedAt: number | undefined;
  /** What to keep, to drop and to change; undefined if the page is of some cards of a type only: a type is kept or dropped whole. */
  readonly actions: Actions | undefined;
  /** Which setting to change for an advice, in sentences. */
  readonly settingFor: (cut: Cut) => string;
  /** What an account can ever tell in which nothing stands out. */
  readonly prospect: readonly HeadLine[];
  readonly byType: Judgements;
  /** Which days cards a day are of, as on a terminal. */
  readonly rateDays: string;
  /** Of verdicts above and below that the notebook has of this time. */
  readonly record: readonly PastVerdict[];
  /** A type's conditions now, in words; empty if no look at them is kept. */
  readonly settingsOf: (type: string) => string;
  /** Those to BTC after 24 h, under the present settings of each type. */
  readonly differences: readonly Difference[];
  readonly tuning: Tuning;
  readonly settings: readonly SettingsHistory[];
  readonly changes: readonly LookWithChanges[];
  /** The command line that exports into the history of the page. */
  readonly exportCommand: string;
  readonly footer: string;
}

/**
 * The whole page, one file, complete in itself: a pure function, so that the same history at the same time gives the same
 * bytes. Its policy forbids every request and every script, so that a text of the service that got through all the same
 * could do nothing.
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

/** `As of 8 Oct: `, of a history to which nothing was added of late; empty of any other. */
function asOf({ endedAt }: ReportInput): string {
  return endedAt === undefined ? '' : `As of ${dayAndMonth(endedAt)}: `;
}

/** What to do, below the title. */
function findingsOf(input: ReportInput): MarkupPart {
  const { cards, prospect, actions, exportCommand } = input;
  if (cards.length === 0) return html`<p>${noCardsText(exportCommand)}</p>\n`;
  const ofProspect = prospect.map((line): Fact => [line.label, line.text]);
  const ofActions = actions === undefined ? [] : actionFacts(actions);
  return facts([...ofActions, ...ofProspect]);
}

function pageSections(input: ReportInput): (Markup | undefined)[] {
  const { cards, byType, differences, changes, settingsOf, settingFor } = input;
  const { rateDays, record, tuning, endedAt } = input;
  const newest = cards[0];
  const oldest = cards.at(-1);
  if (newest === undefined || oldest === undefined) return [];
  const periods = periodsOf(oldest.at, newest.at);
  const lastCards = new Map<string, number>();
  // The newest card comes first.
  for (const { type, at } of cards) if (!lastCards.has(type)) lastCards.set(type, at);
  const past = { record, days: periods.days, endedAt, lastCards, now: byType.now };
  const lately = latelySection(byType.standings, past);
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
      [methodWords(byType.standings, areChangesShown), ...testSentences(numbers), ...input.basis]
        .join(' ')
        .trim(),
    ),
  ];
}

/** Whether the picture of the types has an interval: then it explains what intervals are. */
function hasIntervals(standings: readonly Standing[]): boolean {
  return standings.some(hasInterval);
}

function hasInterval({ word }: Standing): boolean {
  return word !== null && word !== 'too_few_days';
}

const COMPARED_WITH_OTHERS =
  "Each card's move after the trigger, minus BTC's, is compared with the median of your other types' cards of that UTC day.";

/** What a type's cards are compared with. */
const COMPARED: Readonly<Record<ComparisonOfAll, string>> = {
  others: COMPARED_WITH_OTHERS,
  btc: "Each card's move after the trigger is compared with BTC's: your other types have too few cards to compare with.",
  mixed: `${COMPARED_WITH_OTHERS} A type is compared with BTC if too few such cards came on its days.`,
};

/** What each of three levels is for; without a change there are two, and the first picture explains them. */
const LEVELS =
  ' A verdict on a type must be 99.7 % sure, because several types are tested each day; a verdict on a change, 99 %. The 95 % intervals show how well each figure is known.';

const WHAT_FIGURES_ARE =
  'These are price movements, not trading profit. Cards of one day and of one symbol depend on each other: intervals are widened for that.';

/** @param areChangesShown whether the page tells of changes of settings */
function methodWords(standings: readonly Standing[], areChangesShown: boolean): string {
  const drawn = standings.filter(hasInterval);
  const comparison = comparisonOfAll(drawn.length > 0 ? drawn : standings);
  const levels = areChangesShown ? LEVELS : '';
  return `${COMPARED[comparison]} ${WHAT_FIGURES_ARE}${levels}`;
}
