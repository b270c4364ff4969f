import { StoppedByUser } from '../errors.ts';
import { newsOf } from '../outcomes/news.ts';
import { newsWords, todayView } from '../output/views/today.ts';
import { findings, isTooEarly, worthDropping } from '../output/views/verdict.ts';
import { DAY } from '../runtime/units.ts';
import type { OfHistory } from './parts/history-rows.ts';
import type { Invocation } from './parts/invocation.ts';
import { lookAt } from './parts/morning.ts';
import { exportCommand } from './parts/next-command.ts';
import { triesOf } from './parts/tune-command.ts';

interface TodayOptions extends OfHistory {
  readonly refresh: boolean;
}

/** `screener today`: sends nothing. If --refresh fails, what is there is shown, then the failure. */
export async function run(invocation: Invocation, options: TodayOptions): Promise<void> {
  const { globals, output } = invocation;
  const { history, refresh } = options;
  if (refresh && globals.plan) return refreshHistory(invocation, history);
  const failure = refresh ? await refreshHistory(invocation, history).catch((error: unknown) => error) : undefined;
  const { sample, standings, today } = await lookAt(invocation, options);
  const { why, known } = sample;
  const isUsualKnown = known.until - known.first >= 2 * DAY;
  const gather = exportCommand(invocation, options);
  const found = standings.every(isTooEarly)
    ? findings(standings, 'type', gather).slice(0, 1)
    : [...worthDropping(standings), ...triesOf(invocation, options, sample)];
  const { findings: lines = [], now } = sample.question;
  const latest = new Map(newsOf(lines, now - 7 * DAY).map((one) => [`${one.screener_type} ${one.number}`, one]));
  const news = [...latest.values()].map((one) => newsWords(one, standings));
  await output.one(todayView({ standings, found, news, why, isUsualKnown }), today);
  if (failure !== undefined) throw failure;
}

/** On a terminal its page tells the rest, unless the run was stopped: more lines would push it off a small screen. */
async function refreshHistory(invocation: Invocation, history: TodayOptions['history']): Promise<void> {
  const { exportHistory } = await import('./parts/export-history.ts');
  const { context, closing } = invocation;
  const exported = await exportHistory(invocation, { history, outcomes: true, screeners: true, stats: true });
  if (exported === undefined) return;
  const { summary, sentence, failure } = exported;
  const isAsUsual = [null, 'pace', 'older'].includes(summary.stopped_by);
  if (!context.stderr.isTTY || !isAsUsual) closing.push([sentence]);
  if (summary.stopped_by === 'interrupted') throw new StoppedByUser();
  if (failure !== undefined) throw failure;
}
