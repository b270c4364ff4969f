import { MarketSnapshot } from '../../api/contract/resources.ts';
import { fieldsOf } from '../described-fields.ts';
import { age, timeWithAge } from '../format.ts';
import { safeText } from '../safe-text.ts';
import type { RenderContext, View } from '../types.ts';

const BAR = 30;
/** Room for the label and `320 of 320 (100.0%)` beside the bar. */
const BESIDE_BAR = 36;

export const snapshotView: View<MarketSnapshot> = {
  fields: fieldsOf(MarketSnapshot),
  page: (snapshot, render) => {
    const { styles } = render;
    const { sample, oversold_count, overbought_count } = snapshot;
    const cells = render.width === undefined ? BAR : Math.max(10, Math.min(BAR, render.width - BESIDE_BAR));
    const bar = (count: number) => render.bar(share(count, sample), cells);
    const figures = render.pairs([
      ['Oversold', `${styles.bad(bar(oversold_count))} ${counted(oversold_count, sample)}`],
      ['Overbought', `${styles.good(bar(overbought_count))} ${counted(overbought_count, sample)}`],
    ]);
    const origin = render.pairs([
      ['Computed', `${timeWithAge(snapshot.computed_at, render)}${isFresh(snapshot) ? ', not stale' : ''}`],
      ['Generated', timeWithAge(snapshot.generated_at, render)],
    ]);
    const title = `Market snapshot: ${safeText(snapshot.scope)}, timeframe ${safeText(snapshot.timeframe)}`;
    return render.sections([
      { title, body: [...doubts(snapshot, render), figures].join('\n') },
      { body: origin },
      { title: 'Source', body: safeText(snapshot.source) },
    ]);
  },
};

function share(count: number, sample: number): number {
  return sample > 0 ? count / sample : 0;
}

function counted(count: number, sample: number): string {
  return sample > 0 ? `${count} of ${sample} (${(share(count, sample) * 100).toFixed(1)}%)` : `${count} of 0`;
}

function isFresh({ computed_at, stale, source_stale }: MarketSnapshot): boolean {
  return computed_at !== null && !stale && !source_stale;
}

/** Everything that keeps these figures from being fresh and whole, in plain words, with a blank line below. */
function doubts(snapshot: MarketSnapshot, { paragraph, styles, now }: RenderContext): string[] {
  const { computed_at, stale, source_stale, sample_limited } = snapshot;
  const said: string[] = [];
  if (computed_at === null) said.push('Not computed (computed_at is null): the age of these figures is unknown.');
  const how = computed_at === null ? '' : ` The figures were computed ${age(computed_at, now)}.`;
  if (stale) said.push(`STALE: the service marks this answer as stale.${how}`);
  if (source_stale)
    said.push(`STALE SOURCE: the service marks the source of these figures as stale.${stale ? '' : how}`);
  if (sample_limited) said.push('The sample was limited: the counts do not cover everything.');
  return said.length === 0 ? [] : [...said.map((text) => paragraph(text, styles.warn)), ''];
}
