import type { Comparison } from '../outcomes/figure-table.ts';
import { movesOf, type Row } from '../outcomes/row.ts';
import { againstBtcSection } from './against-btc.ts';
import { clockSection } from './clock.ts';
import { compareSection } from './compare.ts';
import { dailyMediansSection } from './daily-medians.ts';
import { distributionSection } from './distribution.ts';
import { largestMovesSection } from './largest-moves.ts';
import type { Markup } from './markup.ts';
import { page } from './page.ts';
import { typesOf } from './palette.ts';
import { perDaySection } from './per-day.ts';
import { periodsOf } from './periods.ts';
import { section } from './section.ts';
import { symbolTypeSection } from './symbol-type.ts';

export interface ReportInput {
  /** Newest first. */
  readonly cards: readonly Row[];
  readonly facts: readonly (readonly [name: string, value: string])[];
  readonly warnings: readonly string[];
  /** As `stats --by` compares them. */
  readonly byType: Comparison;
  readonly bySymbol: Comparison;
  readonly byHour: Comparison;
  readonly byWeekday: Comparison;
  /** Who made it, and when. */
  readonly footer: string;
}

/** The whole page: a pure function, so that the same history at the same time gives the same bytes. */
export function reportPage(input: ReportInput): string {
  return page({
    title: 'Outcomes of your screeners',
    lead: 'Price movements after a trigger, measured by the service. They are not trading profit.',
    facts: input.facts,
    warnings: input.warnings,
    sections: sectionsOf(input),
    footer: input.footer,
  });
}

function sectionsOf({ cards, byType, bySymbol, byHour, byWeekday }: ReportInput): Markup[] {
  const oldest = cards.at(-1);
  const newest = cards[0];
  if (oldest === undefined || newest === undefined) {
    const says = 'There are no cards in this window, so there is nothing to draw.';
    return [section({ id: 'cards', title: 'No cards', says })];
  }
  const periods = periodsOf(oldest.at, newest.at);
  const types = typesOf(cards);
  const moves = movesOf(cards, '24h');
  return [
    compareSection(byType, bySymbol, types),
    perDaySection(cards, periods),
    distributionSection(movesOf(cards, '1h'), moves),
    dailyMediansSection(moves, periods),
    againstBtcSection(moves, types),
    symbolTypeSection(moves, types),
    clockSection(byHour, byWeekday),
    largestMovesSection(moves),
  ];
}
