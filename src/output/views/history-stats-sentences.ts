import { LEAST_FOR_INTERVAL } from '../../outcomes/order.ts';
import type { DrawnGroup } from '../../outcomes/report.ts';
import type { RenderContext } from '../types.ts';
import { HISTOGRAM_LEGEND } from './histogram-text.ts';

/** What the figures assume and what they are not. */
export function historyStatsSentences(groups: readonly DrawnGroup[], { draw, styles, width }: RenderContext): string {
  const horizons = groups.flatMap(({ report }) => Object.values(report.horizons));
  const measured = horizons.filter(({ sample }) => sample > 0);
  const days = Math.max(0, ...horizons.map(({ distinct_days }) => distinct_days));
  const sentences = [
    ...(width !== undefined && measured.length > 0 ? [HISTOGRAM_LEGEND] : []),
    ...(measured.length < horizons.length
      ? ['Not yet measurable: no outcome of that horizon is measured so far.']
      : []),
    ...(measured.some(({ sample }) => sample < LEAST_FOR_INTERVAL)
      ? [`Fewer than ${LEAST_FOR_INTERVAL} moves give no 95 % interval of the median.`]
      : []),
    ...(measured.length > 0 ? [spreadSentence(days, groups.length)] : []),
    '"Missing" counts outcomes the service calls missing, and available ones that lack the figure.',
    'Price movement after a trigger, not trading profit. Each horizon has its own sample.',
  ];
  return sentences
    .flatMap((text) => draw.paragraph(text).split('\n'))
    .map(styles.dim)
    .join('\n');
}

function spreadSentence(days: number, groups: number): string {
  const over = `${days} UTC ${days === 1 ? 'day' : 'days'}`;
  const where = groups > 1 ? `The signals of a group fall on at most ${over}` : `These signals fall on ${over}`;
  return `${where}; the intervals assume independent signals, and signals of one day or one market move are not.`;
}
