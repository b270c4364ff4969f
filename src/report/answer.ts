/** The report's finding, and its first part: which screener types are worth keeping; and the symbols alike. */
import { MAIN_HORIZON } from '../api/contract/horizons.ts';
import { decidingOf, isAbove, isBelow, ranked } from '../outcomes/deciding.ts';
import type { Comparison, GroupFigures } from '../outcomes/figure-table.ts';
import { recordOf } from '../outcomes/past.ts';
import { RATE_DAYS } from '../outcomes/rate.ts';
import { dayAndMonth } from '../output/format.ts';
import type { Pair } from '../output/types.ts';
import { findings, IF_SHORT } from '../output/views/verdict.ts';
import { pluralize } from '../runtime/pluralize.ts';
import { comparedWith, forest } from './forest.ts';
import { between, fixed, percent, signed } from './format.ts';
import { html, label, type Markup } from './markup.ts';
import { facts, note, section } from './section.ts';

export interface TypeFacts {
  /** Its conditions now, in words; undefined where no look at the settings is kept. */
  readonly settings?: string | undefined;
  /** How long it has had no card though it is switched on, in words. */
  readonly silence?: string | undefined;
}

const figuresOf = ({ horizons }: GroupFigures) => horizons[MAIN_HORIZON];
/** Without an interval there is nothing to tell. */
const isTooEarly = (group: GroupFigures): boolean => decidingOf(figuresOf(group)).interval === null;

/** `pump beats`, `a and b beat`. */
function verb(groups: readonly GroupFigures[], one: string, several: string): string {
  return `${new Intl.ListFormat('en-GB').format(groups.map(({ group }) => label(group ?? '')))} ${groups.length === 1 ? one : several}`;
}

/** The page's title: `pump beats your other cards by 2.3 points; dump falls behind`. */
export function findingOf({ groups }: Comparison): string {
  const inOrder = ranked(groups, MAIN_HORIZON);
  const above = inOrder.filter((group) => isAbove(figuresOf(group).shown_verdict));
  const below = inOrder.filter((group) => isBelow(figuresOf(group).shown_verdict));
  const behind = below.length === 0 ? '' : verb(below, 'falls behind', 'fall behind');
  const [best] = above;
  const none = groups.every(isTooEarly) ? 'Not enough yet to tell' : 'No screener type stands out yet';
  if (best === undefined) return behind === '' ? none : `${behind} your other cards`;
  const { to, median } = decidingOf(figuresOf(best));
  const points = above.length > 1 || median === null ? '' : ` by ${median.toFixed(1)} points`;
  const beats = `${verb(above, 'beats', 'beat')} ${to === 'btc' ? 'BTC' : 'your other cards'}${points}`;
  return behind === '' ? beats : `${beats}; ${behind}`;
}

/** What terminals say first, of all types: a silent one may have no card at all. */
export function findingsOf({ groups }: Comparison, known: ReadonlyMap<string, TypeFacts>): Pair[] {
  const types = new Map(ranked(groups, MAIN_HORIZON).map((group) => [group.group ?? '', figuresOf(group)]));
  const named = [...new Set([...types.keys(), ...known.keys()])];
  const judged = named.map((type) => {
    return { name: label(type), figures: types.get(type) ?? null, silence: known.get(type)?.silence };
  });
  return findings(judged, 'type');
}

export function answerSection(byType: Comparison, known: ReadonlyMap<string, TypeFacts>, days: number): Markup {
  const groups = ranked(byType.groups, MAIN_HORIZON).slice(0, 20);
  const { given, standing } = recordOf(byType.standings.map((one) => one.standings));
  const figures = groups.map(figuresOf);
  const isEarly = groups.every(isTooEarly);
  return section({
    id: 'answer',
    title: isEarly ? 'Your screener types so far' : 'Which screener types are worth keeping',
    says: isEarly
      ? `A first verdict needs outcomes on about 12 days, a firm one on about 24; these cards span ${days}. Each export buys more outcomes.`
      : html`Median difference to ${comparedWith(groups)} after 24 h, in percentage points: <b class="above">above</b>, <b class="below">below</b>, or grey: no clear difference.`,
    picture: [
      forest({
        name: 'Screener types after 24 h',
        comparison: byType,
        groups,
        about: (group) => aboutType(group, known.get(group.group ?? '')),
        silenceOf: ({ group }) => known.get(group ?? '')?.silence,
      }),
      note(
        `Cards a day: in the last ${RATE_DAYS} days at most.`,
        given > 0 &&
          `Of ${pluralize(given, 'verdict')} (above or below) given in these ${Math.min(days, 182)} days, ${standing === 1 ? '1 still holds' : `${standing} still hold`}.`,
        figures.some((one) => one.shown_verdict === 'below_others' && one.verdict !== 'below_btc') &&
          'Next to one strong type, an average one falls behind: that alone is no reason to drop it.',
        figures.some((one) => isBelow(one.shown_verdict)) && IF_SHORT,
      ),
    ],
  });
}

export function symbolsSection(bySymbol: Comparison): Markup | undefined {
  const bySample = [...bySymbol.groups].sort((a, b) => figuresOf(b).btc_sample - figuresOf(a).btc_sample);
  const groups = ranked(bySample.slice(0, 10), MAIN_HORIZON);
  if (groups.every(isTooEarly)) return undefined;
  const [tested, all] = [bySymbol.comparisons, bySample.length];
  const found = groups.filter((group) => [isAbove, isBelow].some((is) => is(figuresOf(group).shown_verdict)));
  return section({
    id: 'symbols',
    title: found.length === 0 ? 'No symbol stands out' : verb(found, 'stands out', 'stand out'),
    says: `The symbols with the most outcomes: median difference to ${comparedWith(groups)} after 24 h, in percentage points.`,
    picture: [
      forest({ name: 'Symbols after 24 h', comparison: bySymbol, groups }),
      note(
        all > groups.length &&
          `${groups.length} of ${all} symbols are drawn, but ${tested} are tested${tested < all ? ': all but BTC itself and those with too few days' : ''}. The command screener symbols lists all.`,
      ),
    ],
  });
}

function aboutType(group: GroupFigures, known: TypeFacts | undefined): Markup {
  const { settings_since, coincides_with, cards_per_day } = group;
  const { sample, median_vs_btc_percentage_points: btc, share_above_btc: share, ...figures } = figuresOf(group);
  const { verdict_since: since, since_then: then, shown_verdict: verdict } = figures;
  // Beside "no difference" the median of fewer cards would look like a doubt.
  const later = isAbove(verdict) || isBelow(verdict) ? then : null;
  const set = settings_since === null ? '' : `, since ${dayAndMonth(Date.parse(settings_since))}`;
  // Beside the difference to BTC, it is not said again.
  const { to, interval } = decidingOf(figuresOf(group));
  const vsBtc = interval !== null && to === 'btc' ? '' : `${signed(btc)} vs BTC `;
  return html`<div class="btc">${btc !== null && vsBtc}${share !== null && interval !== null && html`<span class="range">${percent(share)} beat BTC</span>`}</div>
<div class="size">${known?.silence === undefined ? `${fixed(cards_per_day ?? 0)} a day` : 'silent'} <span class="range">${pluralize(sample, 'outcome')}</span></div>
${facts([
  known?.settings !== undefined && ['Settings now', `${known.settings}${set}`],
  later !== null &&
    since !== null && [
      `Since ${dayAndMonth(Date.parse(since))}`,
      `${signed(later.difference_percentage_points)} (${between(later.interval_95, '')}), ${pluralize(later.cards, 'outcome')}`,
    ],
  ...coincides_with.map((one) => ['Overlap', `${percent(one.share)} coincide with ${label(one.group)}`] as const),
])}`;
}
