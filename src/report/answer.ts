/** The report's finding, and its first part: which screener types are worth keeping; and the symbols alike. */
import { MAIN_HORIZON } from '../api/contract/horizons.ts';
import { decidingOf, isAbove, isBelow, ranked } from '../outcomes/deciding.ts';
import type { Comparison, GroupFigures } from '../outcomes/figure-table.ts';
import { recordOf } from '../outcomes/past.ts';
import { dayAndMonth } from '../output/format.ts';
import { sinceText, soonest, verdictText } from '../output/views/verdict.ts';
import { comparedWith, forest } from './forest.ts';
import { between, count, counted, fixed, percent, signed } from './format.ts';
import { html, label, type Markup } from './markup.ts';
import { facts, note, section } from './section.ts';

export interface TypeFacts {
  /** Its conditions now, in words; undefined where no look at the settings is kept. */
  readonly settings?: string | undefined;
  /** How long it has had no card though it is switched on, in words. */
  readonly silence?: string | undefined;
}

const figuresOf = ({ horizons }: GroupFigures) => horizons[MAIN_HORIZON];
const nameOf = ({ group }: GroupFigures): string => label(group ?? '');

/** `oi_growth beats`, `a and b beat`. */
function verb(groups: readonly GroupFigures[], one: string, several: string): string {
  return `${new Intl.ListFormat('en-GB').format(groups.map(nameOf))} ${groups.length === 1 ? one : several}`;
}

/** The page's title: `oi_growth beats your other cards by 2.3 points; funding_extreme falls behind`. */
export function findingOf({ groups }: Comparison): string {
  const inOrder = ranked(groups, MAIN_HORIZON);
  const above = inOrder.filter((group) => isAbove(figuresOf(group).shown_verdict));
  const below = inOrder.filter((group) => isBelow(figuresOf(group).shown_verdict));
  const behind = below.length === 0 ? '' : verb(below, 'falls behind', 'fall behind');
  const [best] = above;
  if (best === undefined) return behind === '' ? 'No screener type stands out yet' : `${behind} your other cards`;
  const { to, median } = decidingOf(figuresOf(best));
  const points = above.length > 1 || median === null ? '' : ` by ${median.toFixed(1)} points`;
  const beats = `${verb(above, 'beats', 'beat')} ${to === 'btc' ? 'BTC' : 'your other cards'}${points}`;
  return behind === '' ? beats : `${beats}; ${behind}`;
}

/** Two sentences for the terminal: what was found, and what stays unclear until when. */
export function sentencesOf(comparison: Comparison, facts: ReadonlyMap<string, TypeFacts>): string {
  const awaited = comparison.groups.filter(({ group }) => facts.get(group ?? '')?.silence === undefined);
  const unclear = awaited.filter((group) => figuresOf(group).shown_verdict === 'unclear');
  const wait = soonest(unclear.map(figuresOf));
  return `${findingOf(comparison)}.${wait && ` ${verb(unclear, 'stays', 'stay')} unclear${wait}.`}`;
}

export function answerSection(byType: Comparison, known: ReadonlyMap<string, TypeFacts>, days: number): Markup {
  const groups = ranked(byType.groups, MAIN_HORIZON).slice(0, 20);
  const { given, standing } = recordOf(byType.standings.map((one) => one.standings));
  const silent = [...known].flatMap(([type, { silence }]) =>
    silence === undefined || groups.some(({ group }) => group === type) ? [] : [`${label(type)} (${silence})`],
  );
  const figures = groups.map(figuresOf);
  return section({
    id: 'answer',
    title: 'Which screener types are worth keeping',
    says: html`24 hours after the trigger, against ${comparedWith(groups)}: <b class="above">ahead</b>, <b class="below">behind</b>, or grey: no clear difference. Medians, in percentage points.`,
    picture: [
      forest({
        name: 'Screener types after 24 h',
        least: byType.least_percentage_points,
        groups,
        family: byType.groups,
        about: (group) => aboutType(group, known.get(group.group ?? '')),
        isSilent: ({ group }) => known.get(group ?? '')?.silence !== undefined,
      }),
      note(
        figures.some(({ weak }) => weak) && 'Dotted: fewer than twelve blocks of days.',
        given > 0 &&
          `Of ${counted(given, 'verdict')} (above or below) given in these ${Math.min(days, 182)} days, ${standing === 1 ? '1 still holds' : `${standing} still hold`}.`,
        figures.some((one) => one.shown_verdict === 'below_others' && one.verdict !== 'below_btc') &&
          'Behind alone is no reason to drop a type: next to one strong type, an average one falls behind.',
        silent.length > 0 && `Switched on, but silent: ${silent.join(', ')}.`,
      ),
    ],
    numbers: numbersOf('Type', groups),
  });
}

export function symbolsSection(bySymbol: Comparison): Markup {
  const bySample = [...bySymbol.groups].sort((a, b) => figuresOf(b).btc_sample - figuresOf(a).btc_sample);
  const groups = ranked(bySample.slice(0, 10), MAIN_HORIZON);
  const found = groups.filter((group) => [isAbove, isBelow].some((is) => is(figuresOf(group).shown_verdict)));
  return section({
    id: 'symbols',
    title: found.length === 0 ? 'No symbol stands out' : verb(found, 'stands out', 'stand out'),
    says: `The symbols with the most outcomes, 24 hours after the trigger, each against ${comparedWith(groups)}.`,
    picture: [
      forest({ name: 'Symbols after 24 h', least: bySymbol.least_percentage_points, groups, family: bySample }),
      note(bySample.length > groups.length && `${groups.length} of ${bySample.length} symbols are drawn.`),
    ],
    numbers: numbersOf('Symbol', bySample),
  });
}

function aboutType(group: GroupFigures, known: TypeFacts | undefined): Markup {
  const figures = figuresOf(group);
  const { median_vs_btc_percentage_points: btc, share_above_btc: share, since_then: then } = figures;
  const by = then?.difference_percentage_points ?? null;
  const isClear = isAbove(figures.shown_verdict) || isBelow(figures.shown_verdict);
  const since = group.settings_since === null ? '' : `, since ${dayAndMonth(Date.parse(group.settings_since))}`;
  const lines: (readonly [string, string])[] = [
    ...(known?.settings === undefined ? [] : [['Settings', `${known.settings}${since}`] as const]),
    // Beside "no difference" the median of fewer cards would look like a doubt.
    ...(then === null || by === null || !isClear
      ? []
      : [[sinceText(figures).trim(), `${signed(by)} (${between(then.interval_95)}), ${counted(then.cards, 'card')}`] as const]),
    ...group.coincides_with.map((one) => ['Overlap', `${percent(one.share)} coincide with ${label(one.group)}`] as const),
  ];
  return html`<div class="btc">${btc !== null && html`${signed(btc)} <span class="range">vs BTC${share !== null && `, ${percent(share)} above`}</span>`}</div>
<div class="size">${fixed(group.cards_per_day ?? 0)} a day <span class="range">${counted(figures.sample, 'outcome')}</span></div>
${facts(lines)}`;
}

function numbersOf(what: string, groups: readonly GroupFigures[]) {
  return {
    head: [what, 'Outcomes', 'vs BTC, pp', 'Above BTC', 'vs others, pp', '95 % from', 'to', 'Verdict'],
    rows: groups.map((group) => {
      const figures = figuresOf(group);
      const { interval } = decidingOf(figures);
      return [
        nameOf(group),
        count(figures.sample),
        signed(figures.median_vs_btc_percentage_points),
        figures.share_above_btc === null ? '' : percent(figures.share_above_btc),
        signed(figures.median_vs_others_percentage_points),
        signed(interval?.low ?? null),
        signed(interval?.high ?? null),
        verdictText(figures),
      ];
    }),
  };
}
