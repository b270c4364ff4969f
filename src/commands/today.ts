import { MAIN_HORIZON } from '../api/contract/horizons.ts';
import { formatApiTime } from '../api/time.ts';
import { StoppedByUser } from '../errors.ts';
import { cardsIn } from '../history/store/manifest.ts';
import { asPrinted } from '../outcomes/figure.ts';
import { figuresOf } from '../outcomes/figures.ts';
import { ranked, standingsOf } from '../outcomes/standing.ts';
import { forecastSentence } from '../output/views/access.ts';
import { type Today, todayView } from '../output/views/today.ts';
import { accountLoggedIn } from './parts/find-history.ts';
import { type OfHistory, readSample } from './parts/history-rows.ts';
import type { Invocation } from './parts/invocation.ts';
import { commandLine, historyWords } from './parts/next-command.ts';
import { summarizeToday, unusual, verdictsChanged } from './parts/today-summary.ts';
import { triesOf, tuneCommand } from './parts/tune-command.ts';

interface Options extends OfHistory {
  readonly refresh: boolean;
}

/** `screener today`: sends nothing. If --refresh fails, what is there is shown, then the failure. */
export async function run(invocation: Invocation, options: Options): Promise<void> {
  const { globals, output } = invocation;
  const { history, refresh } = options;
  const pageOf = (type: string) => commandLine(invocation, ['screeners'], historyWords(options), type);
  if (refresh && globals.plan) return refreshHistory(invocation, history);
  const failure = refresh ? await refreshHistory(invocation, history).catch((error: unknown) => error) : undefined;
  const sample = await readSample(invocation, { history });
  const { rows, question } = sample;
  const { now, until } = question;
  const standings = ranked(standingsOf(figuresOf(rows, { ...question, by: 'type' }), MAIN_HORIZON, sample.known));
  const manifest = await history.manifest();
  const known = {
    history: {
      directory: history.directory,
      cards: manifest === undefined ? rows.length : cardsIn(manifest),
      updated_at: manifest?.last_success ?? null,
      covered_until: formatApiTime(until),
      outcomes_due: manifest?.remaining.outcomes_due ?? 0,
    },
    credits: await creditsKnown(invocation),
    ...summarizeToday(rows, until, standings),
    verdicts_changed: verdictsChanged(question.findings ?? [], now),
  };
  const found = unusual(now, known, pageOf);
  const today: Today = asPrinted({ generated_at: formatApiTime(now), ...known, unusual: found });
  const next = [
    commandLine(invocation, ['stats', ...historyWords(options), '--by', 'type']),
    tuneCommand(invocation, options),
  ];
  const tries = triesOf(invocation, options, sample);
  await output.one(todayView({ standings, tries, next, why: sample.why }), today);
  if (failure !== undefined) throw failure;
}

/** On a terminal its page tells the rest: further lines would push it off a small screen. */
async function refreshHistory(invocation: Invocation, history: Options['history']): Promise<void> {
  const { exportHistory, printExportQuote } = await import('./parts/export-history.ts');
  const { context, globals, closing } = invocation;
  const options = { history, outcomes: true, screeners: true, stats: true };
  if (globals.plan) return printExportQuote(invocation, options);
  const { summary, sentence, failure } = await exportHistory(invocation, options);
  if (!context.stderr.isTTY) closing.push(sentence);
  if (summary.stopped_by === 'interrupted') throw new StoppedByUser();
  if (failure !== undefined) throw failure;
}

async function creditsKnown(invocation: Invocation): Promise<Today['credits']> {
  const { context, globals } = invocation;
  if (!globals.demo && accountLoggedIn(context, globals.baseUrl) === undefined) return null;
  const { account, client } = await invocation.connect();
  // The demo knows nothing of an earlier run, and asks nobody but itself.
  if (globals.demo) await client.call('access', {});
  const { access, monthLeft: remaining, today, forecast } = account.known();
  if (access === undefined || remaining === undefined) return null;
  return {
    remaining,
    limit: access.credits.limit,
    resets_at: access.credits.resets_at,
    known_at: formatApiTime(access.at),
    spent_today: today.charged + today.uncertain,
    plan_ends_at: null,
    gone_at: forecast?.goneAt === undefined ? null : formatApiTime(forecast.goneAt),
    last: forecast?.goneAt === undefined,
    forecast: forecast === undefined ? null : forecastSentence(forecast),
  };
}
