import type { Difference } from '../outcomes/differences.ts';
import type { Comparison } from '../outcomes/figure-table.ts';
import type { Row } from '../outcomes/row.ts';
import { answerSection, symbolsSection, type TypeFacts } from './answer.ts';
import { html, type Markup } from './markup.ts';
import { page } from './page.ts';
import { perDaySection } from './per-day.ts';
import { periodsOf } from './periods.ts';
import { section } from './section.ts';
import { type Change, daysSection, spreadSection } from './small-multiples.ts';
import { type SymbolsOfType, symbolTypeSection } from './symbol-type.ts';

export interface ReportInput {
  /** Newest first. */
  readonly cards: readonly Row[];
  readonly facts: readonly (readonly [name: string, value: string])[];
  /** As `stats --by` compares them. */
  readonly byType: Comparison;
  readonly bySymbol: Comparison;
  /** By type; those with the most cards first. */
  readonly symbolsOfTypes: readonly SymbolsOfType[];
  readonly typeFacts: ReadonlyMap<string, TypeFacts>;
  /** What the settings of all types have alike, a sentence. */
  readonly shared: string | undefined;
  /** To BTC's move after 24 h. */
  readonly differences: readonly Difference[];
  /** Of settings, oldest first. */
  readonly changes: readonly Change[];
  /** Who made it, and when. */
  readonly footer: string;
}

/** The whole page: a pure function, so that the same history at the same time gives the same bytes. */
export function reportPage(input: ReportInput): string {
  return page({
    title: 'Outcomes of your screeners',
    lead: 'Price movements after a trigger, not trading profit.',
    facts: input.facts,
    sections: sectionsOf(input),
    footer: input.footer,
  });
}

/** How the figures are made; what else there is to say stands in the program's help. */
const METHODS = section({
  id: 'methods',
  title: 'How the figures are made',
  says: "Each median is of the price's move after the trigger less BTC's over the same time; the verdict “others” compares with your other cards of the same day. Cards of one day, and of one symbol, depend on each other: the intervals are widened for that, and a type is called above or below only where that holds after Holm's correction for all types compared.",
  picture: html`<p class="paper">The numbers of each picture are tables of the page: unfold them there, and they are printed, too.</p>
`,
});

/** Outcomes of which a picture tells something; with fewer the page says what is missing. */
const LEAST_DRAWN = 12;

function sectionsOf(input: ReportInput): (Markup | undefined)[] {
  const { cards, byType, bySymbol, differences, changes } = input;
  const [newest, oldest] = [cards[0], cards.at(-1)];
  if (newest === undefined || oldest === undefined) {
    return [
      section({
        id: 'answer',
        title: 'No cards',
        says: 'There are no cards in this window, so there is nothing to tell.',
      }),
    ];
  }
  if (differences.length < LEAST_DRAWN) return [tooLittle(input)];
  const periods = periodsOf(oldest.at, newest.at);
  return [
    answerSection(byType, input.typeFacts, input.shared),
    perDaySection(cards, periods, changes),
    spreadSection(differences),
    daysSection(differences, periods, changes),
    symbolsSection(bySymbol),
    symbolTypeSection(input.symbolsOfTypes),
    METHODS,
  ];
}

function tooLittle({ cards, differences }: ReportInput): Markup {
  const bought = cards.filter(({ isBought }) => isBought).length;
  const days = new Set(differences.map(({ day }) => day)).size;
  return section({
    id: 'answer',
    title: 'Not enough yet to tell',
    says: `The history holds ${cards.length} cards; the outcomes of ${bought} were bought, and ${differences.length} of them are measured after 24 h, on ${days} ${days === 1 ? 'day' : 'days'}. It takes outcomes on six blocks of two days to say anything of a screener type, and on twelve to say it firmly. Each export buys more of them.`,
  });
}
