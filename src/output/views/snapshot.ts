import { MarketSnapshot } from '../../api/contract/resources.ts';
import { fieldsOf } from '../described-fields.ts';
import { timeWithAge } from '../format.ts';
import { safeText } from '../safe-text.ts';
import type { View } from '../types.ts';
import { doubtsText } from './parts.ts';

const BAR = 20;

export const snapshotView: View<MarketSnapshot> = {
  fields: fieldsOf(MarketSnapshot),
  page: (snapshot, render) => {
    const { styles } = render;
    const { sample, oversold_count, overbought_count } = snapshot;
    const bar = (count: number) => render.bar(share(count, sample), BAR);
    const figures = render.pairs([
      ['Oversold', `${styles.bad(bar(oversold_count))} ${counted(oversold_count, sample)}`],
      ['Overbought', `${styles.good(bar(overbought_count))} ${counted(overbought_count, sample)}`],
    ]);
    const origin = render.pairs([
      ['Computed', `${timeWithAge(snapshot.computed_at, render)}${isFresh(snapshot) ? ', not stale' : ''}`],
      ['Generated', timeWithAge(snapshot.generated_at, render)],
    ]);
    const doubts = doubtsText(
      [
        [snapshot.computed_at === null, 'Not computed (computed_at is null): the age of these figures is unknown.'],
        [snapshot.stale, 'STALE: the service marks this answer as stale.'],
        [snapshot.source_stale, 'STALE SOURCE: the service marks the source of these figures as stale.'],
        [snapshot.sample_limited, 'The sample was limited: the counts do not cover everything.'],
      ],
      render,
    );
    const title = `Market snapshot: ${safeText(snapshot.scope)}, timeframe ${safeText(snapshot.timeframe)}`;
    return render.sections([
      { title, body: doubts === '' ? figures : `${doubts}\n\n${figures}` },
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
