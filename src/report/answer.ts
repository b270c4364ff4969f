/** The report's first part: which screener types are worth keeping, as far as the outcomes tell. */
import type { Comparison, GroupFigures, HorizonFigures } from '../outcomes/figure-table.ts';
import { groupBy } from '../outcomes/group.ts';
import { ranked } from '../outcomes/rank.ts';
import { forest, verdictTexts } from './forest.ts';
import { count, counted, fixed, signed } from './format.ts';
import { html, label, type Markup } from './markup.ts';
import { note, section } from './section.ts';

/** What is known of a type besides its outcomes. */
export interface TypeFacts {
  /** Its conditions now, in words; undefined where no look at the settings is kept. */
  readonly settings?: string | undefined;
  readonly cardsPerDay: number;
  /** What the numbers known at the trigger tell of it, a sentence each. */
  readonly findings: readonly string[];
}

/** More lines than that are no picture any more. */
const MOST_DRAWN = 20;

export function answerSection(byType: Comparison, facts: ReadonlyMap<string, TypeFacts>): Markup {
  const groups = ranked(byType.groups, '24h').slice(0, MOST_DRAWN);
  const [long, short] = (['24h', '1h'] as const).map((horizon) =>
    forest({
      name: `Screener types after ${horizon === '24h' ? '24 h' : '1 h'}`,
      horizon,
      ofTypes: true,
      isCompact: horizon === '1h',
      lines: groups.map((group) => ({
        group,
        about: horizon === '24h' ? aboutType(group, facts.get(group.group ?? '')) : undefined,
      })),
    }),
  );
  return section({
    id: 'answer',
    title: 'Which screener types are worth keeping',
    says: answerOf(byType),
    picture: [
      html`<h3>After 24 h</h3>\n`,
      long,
      html`<h3>After 1 h</h3>\n`,
      short,
      note(
        'Thick: the 95 % interval of that type alone; thin: widened for the comparison of all types.',
        dotted(groups),
      ),
    ],
    numbers: {
      head: ['Type', 'Horizon', 'Outcomes', 'Median, pp', '95 % from', 'to', 'Against others, pp', 'Verdicts'],
      rows: groups.flatMap((group) => [numbersRow(group, '24h'), numbersRow(group, '1h')]),
    },
  });
}

/** The symbols with the most outcomes, on an axis of their own. */
export function symbolsSection(bySymbol: Comparison): Markup {
  const bySample = [...bySymbol.groups].sort((a, b) => sampleOf(b) - sampleOf(a));
  const groups = ranked(bySample.slice(0, 10), '24h');
  const found = groups.filter((group) => isCalled(group.horizons['24h']));
  const rest = bySample.length - groups.length;
  return section({
    id: 'symbols',
    title: 'Symbols after 24 h',
    says:
      found.length === 0
        ? 'No symbol differs by more than chance explains.'
        : `${listed(found)} ${found.length === 1 ? 'differs' : 'differ'} by more than chance explains.`,
    picture: [
      forest({
        name: 'Symbols after 24 h',
        horizon: '24h',
        ofTypes: false,
        isCompact: true,
        lines: groups.map((group) => ({ group })),
      }),
      note(rest === 0 ? '' : `${counted(rest, 'symbol')} with fewer outcomes ${rest === 1 ? 'is' : 'are'} not drawn.`),
    ],
    numbers: {
      head: ['Symbol', 'Horizon', 'Outcomes', 'Median, pp', '95 % from', 'to', 'Against others, pp', 'Verdicts'],
      rows: bySample.map((group) => numbersRow(group, '24h')),
    },
  });
}

const nameOf = ({ group }: GroupFigures): string => label(group ?? '');
const sampleOf = ({ horizons }: GroupFigures): number => horizons['24h'].btc_sample;
const isCalled = (figures: HorizonFigures): boolean => isAbove(figures) || isBelow(figures);
const isAbove = ({ verdict, verdict_vs_others: other }: HorizonFigures) =>
  verdict === 'above_btc' || other === 'above_others';
const isBelow = ({ verdict, verdict_vs_others: other }: HorizonFigures) =>
  verdict === 'below_btc' || other === 'below_others';

/** Than what a called group came out higher, or lower. */
function comparedWith({ verdict, verdict_vs_others: other }: HorizonFigures): string {
  const [btc, others] = [/_btc$/.test(verdict ?? ''), /_others$/.test(other ?? '')];
  if (btc && others) return 'than BTC and than your other cards of the same day';
  return btc ? 'than BTC' : 'than your other cards of the same day';
}

function listed(groups: readonly GroupFigures[]): string {
  const names = groups.map(nameOf);
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/** The answer in a few sentences, each type in one of them. */
function answerOf({ groups, least_percentage_points: least }: Comparison): string {
  const of = (is: (figures: HorizonFigures) => boolean) => groups.filter(({ horizons }) => is(horizons['24h']));
  const above = of((figures) => isAbove(figures) && !isBelow(figures));
  const below = of((figures) => isBelow(figures) && !isAbove(figures));
  const none = of((figures) => !isCalled(figures) && verdicts(figures).includes('none'));
  const unclear = of((figures) => !isCalled(figures) && !verdicts(figures).includes('none') && isAsked(figures));
  const early = groups.filter((group) => ![above, below, none, unclear].some((some) => some.includes(group)));
  const sentences: string[] = [];
  sentences.push(...calledSentences(above, 'higher'), ...calledSentences(below, 'lower'));
  if (none.length > 0) {
    sentences.push(
      `${listed(none)} ${none.length === 1 ? 'makes' : 'make'} no difference of ${fixed(least)} pp or more.`,
    );
  }
  if (unclear.length > 0) sentences.push(`${listed(unclear)}: not known yet. ${whatWouldShow(unclear)}`);
  if (early.length > 0) {
    sentences.push(
      `${listed(early)}: too few days. It takes outcomes on six blocks of days to say anything, and on twelve to say it firmly.`,
    );
  }
  return sentences.join(' ');
}

/** One sentence for all that were called in the same way. */
function calledSentences(groups: readonly GroupFigures[], way: 'higher' | 'lower'): string[] {
  const alike = groupBy(groups, ({ horizons }) => comparedWith(horizons['24h']));
  return [...alike].map(
    ([than, called]) => `After 24 h ${listed(called)} came out ${way} ${than}, by more than chance explains.`,
  );
}

function verdicts({ verdict, verdict_vs_others: other }: HorizonFigures): (string | null)[] {
  return [verdict, other];
}

const isAsked = (figures: HorizonFigures): boolean => verdicts(figures).includes('unclear');

function whatWouldShow(groups: readonly GroupFigures[]): string {
  const sizes = groups.flatMap(({ horizons }) => {
    const { would_show_percentage_points: vsBtc, would_show_vs_others_percentage_points: vsOthers } = horizons['24h'];
    return vsOthers ?? vsBtc ?? [];
  });
  if (sizes.length === 0) return '';
  const [low, high] = [fixed(Math.min(...sizes)), fixed(Math.max(...sizes))];
  return `So far only a difference of about ${low === high ? low : `${low} to ${high}`} pp would show.`;
}

function aboutType({ rows, bought }: GroupFigures, facts: TypeFacts | undefined): Markup {
  const cards = `${counted(rows, 'card')}, ${fixed(facts?.cardsPerDay ?? 0)} a day; ${counted(bought, 'outcome')} bought.`;
  const settings = facts?.settings === undefined ? '' : ` Set to: ${facts.settings}.`;
  const findings = facts?.findings ?? [];
  return html`${cards}${settings}${findings.map((text) => html`<br>${text}`)}`;
}

function dotted(groups: readonly GroupFigures[]): string {
  return groups.some(({ horizons }) => horizons['24h'].weak)
    ? 'Dotted: it leans on fewer than twelve blocks of days.'
    : '';
}

function numbersRow(group: GroupFigures, horizon: '1h' | '24h'): string[] {
  const figures = group.horizons[horizon];
  const { median_vs_btc_percentage_points: estimate, median_vs_btc_interval_95: interval } = figures;
  return [
    nameOf(group),
    horizon === '24h' ? '24 h' : '1 h',
    count(figures.btc_sample),
    signed(estimate),
    signed(interval?.low ?? null),
    signed(interval?.high ?? null),
    signed(figures.median_vs_others_percentage_points),
    verdictTexts(figures).join(', '),
  ];
}
