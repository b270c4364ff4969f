import { formatApiTime } from '../../api/time.ts';
import { cardsIn } from '../../history/store/manifest.ts';
import { asPrinted } from '../../outcomes/figure.ts';
import { ranked } from '../../outcomes/standing.ts';
import { forecastSentence } from '../../output/views/access.ts';
import type { Today } from '../../output/views/today.ts';
import { accountLoggedIn } from './find-history.ts';
import { judgedBy, type OfHistory, readSample } from './history-rows.ts';
import { exportOutlook, type Invocation } from './invocation.ts';
import { commandLine, historyWords } from './next-command.ts';
import { summarizeToday, unusual, verdictsChanged } from './today-summary.ts';

export async function lookAt(invocation: Invocation, options: OfHistory) {
  const { history } = options;
  const pageOf = (type: string) => commandLine(invocation, ['screeners'], historyWords(options), type);
  const sample = await readSample(invocation, { history });
  const { rows, question } = sample;
  const { now, until } = question;
  const standings = ranked(judgedBy('type', sample).standings);
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
  return { sample, standings, today };
}

async function creditsKnown(invocation: Invocation): Promise<Today['credits']> {
  const { context, globals } = invocation;
  if (!globals.demo && accountLoggedIn(context, globals.baseUrl) === undefined) return null;
  const connection = await invocation.connect();
  const { account, client } = connection;
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
    plan_ends_at: access.expires_at ?? null,
    gone_at: forecast?.goneAt === undefined ? null : formatApiTime(forecast.goneAt),
    last: forecast?.goneAt === undefined && !forecast?.isGone,
    forecast: forecastSentence(forecast, await exportOutlook(invocation, connection)) || null,
  };
}
