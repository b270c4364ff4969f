import { dot, level } from './marks.ts';
import { breakable, html, type Markup, type Part } from './markup.ts';
import { count, type Scale, signed, signedAxis, signedScale } from './scales.ts';

/** One line of a forest plot: a group's median difference to BTC, in percentage points. */
export interface ForestRow {
  readonly name: string;
  /** The number of the group's colour. */
  readonly colour: number;
  readonly sample: number;
  /** Independent outcomes the sample is worth; null where it cannot be known. */
  readonly effectiveSample: number | null;
  readonly estimate: number | null;
  readonly interval: { readonly low: number; readonly high: number } | null;
  /** Fewer days than a firm interval takes. */
  readonly weak: boolean;
  /** What is said of the group: "above BTC", "below BTC", "unclear", "too few days". */
  readonly verdict: string;
}

export interface ForestPart {
  /** Above its rows, where there are several parts on one axis. */
  readonly title: string;
  readonly rows: readonly ForestRow[];
}

const ROW_HEIGHT = 26;
const MIDDLE = ROW_HEIGHT / 2;

/** The axis that all rows of a forest share. */
export function forestScale(parts: readonly ForestPart[]): Scale {
  const rows = parts.flatMap((part) => part.rows);
  // An interval may be many times wider than the rest: then it is drawn to the edge, and its numbers say where it ends.
  const estimates = rows.flatMap(({ estimate }) => (estimate === null ? [] : [estimate]));
  const ends = rows.flatMap(({ interval }) => (interval === null ? [] : [interval.low, interval.high]));
  const reach = 6 * Math.max(0, ...estimates.map(Math.abs));
  const inside = ends.filter((end) => reach === 0 || Math.abs(end) <= reach);
  return signedScale([...estimates, ...inside], 3);
}

/** A forest plot as a table: names, intervals on one axis with zero, how much stands behind each, and the verdict. */
export function forest(label: string, parts: readonly ForestPart[]): Markup {
  const scale = forestScale(parts);
  const axis = signedAxis(scale, '', 3);
  const filled = parts.filter(({ rows }) => rows.length > 0);
  return html`<table class="forest"><caption class="note" style="text-align:left">${label}</caption><thead><tr><th class="name" scope="col"></th><th class="draw" scope="col">Median and 95 % interval</th><th class="num" scope="col">Sample</th><th class="num" scope="col">Worth</th><th class="verdict" scope="col">Verdict</th></tr></thead>
<tbody>${filled.map(({ title, rows }) => [
    filled.length > 1 && html`<tr class="part"><th colspan="2" scope="colgroup">${title}</th></tr>\n`,
    rows.map((row) => forestRow(row, scale)),
  ])}<tr class="axis"><td class="name"></td><td class="draw"><svg aria-hidden="true" width="100%" height="6">${axis.ticks.map(
    ({ at, text }) =>
      html`<line class="grid" x1="${at * 100}%" x2="${at * 100}%" y1="0" y2="5"/><text class="tick x" x="${at * 100}%" y="19" text-anchor="middle">${text}</text>`,
  )}</svg></td><td class="num"></td><td class="num"></td><td class="verdict"></td></tr></tbody></table>
`;
}

function forestRow(row: ForestRow, scale: Scale): Markup {
  const { name, colour, sample, effectiveSample, verdict } = row;
  const words = verdict.includes('BTC') ? html`<b>${verdict}</b>` : verdict;
  return html`<tr><th class="name" scope="row">${breakable(name)}</th><td class="draw"><svg role="img" aria-label="${spoken(row)}" width="100%" height="${ROW_HEIGHT}"><line class="zero" x1="${scale(0) * 100}%" x2="${scale(0) * 100}%" y1="0" y2="${ROW_HEIGHT}"/>${drawn(row, scale)}</svg></td><td class="num">${count(sample)}</td><td class="num">${effectiveSample === null ? '' : count(Math.round(effectiveSample))}</td><td class="verdict">${words}</td></tr>
`;

  function drawn({ estimate, interval, weak }: ForestRow, to: Scale): Part {
    if (estimate === null) return '';
    const edge = (value: number) => Math.min(1, Math.max(0, to(value)));
    const bars =
      interval !== null &&
      level(edge(interval.low), edge(interval.high), MIDDLE, `iv s${colour}${weak ? ' weak' : ''}`);
    return [bars, dot(to(estimate), MIDDLE, 5, `k${colour}`, spoken(row))];
  }
}

function spoken({ name, estimate, interval, sample }: ForestRow): string {
  if (estimate === null) return `${name}: nothing measured`;
  const range = interval === null ? 'no interval' : `95 % from ${signed(interval.low)} to ${signed(interval.high)}`;
  return `${name}: ${signed(estimate)}, ${range}, ${count(sample)} outcomes`;
}
