/** What a run asks for beside cards: the screeners' settings, and the service's medians. */
import { OPERATIONS } from '../../api/operations.ts';
import { formatApiTime } from '../../api/time.ts';
import type { LimitName } from '../../credits/credit-ceiling.ts';
import { ScreenerError } from '../../errors.ts';
import { appendScreeners, appendStats } from '../store/answers.ts';
import type { ExportRun } from './export-run.ts';
import type { PartResults } from './part-results.ts';
import type { OtherRequests } from './plan.ts';
import type { RunParts } from './run-parts.ts';

/**
 * Asks for the settings and medians that the plan has.
 * @returns the limit that left too few credits for them; undefined if there were enough
 */
export async function askOthers(
  run: ExportRun,
  parts: RunParts,
  { asksSettings, types }: OtherRequests,
): Promise<LimitName | undefined> {
  const limitOfSettings = asksSettings ? await askSettings(run, parts.results) : undefined;
  const limitOfMedians = await askMedians(run, parts, types);
  // The limit that was met last is the one that holds now.
  return limitOfMedians ?? limitOfSettings;
}

/** Asks for the settings of all screeners. @returns the limit that left no credit for them; undefined if a credit was left */
async function askSettings(
  { account, client, history }: ExportRun,
  results: PartResults,
): Promise<LimitName | undefined> {
  const { limit, credits } = account.left();
  if (credits < OPERATIONS.screeners.cost) return limit;
  if (results.skipIfHeld('settings', OPERATIONS.screeners.path)) return undefined;
  const now = client.now();
  await results.attempt('settings', async () => {
    await rememberFailure(history, SETTINGS, now, async () => {
      const answer = await client.call('screeners', {}, { noRetryOfLostAnswer: true });
      await appendScreeners(history.directory, answer, now, history.manifest.screeners_at);
      await history.save({ kind: 'settings', screeners_at: formatApiTime(now) });
    });
    results.succeed('settings');
    results.setUnfinished('settings', false);
  });
  return undefined;
}

/**
 * Asks for the medians of the types that are due. After the first refusal, this run asks for no further type. Later runs ask for
 * the other types first.
 * @returns the limit that left too few credits for a type; undefined if there were enough
 */
async function askMedians(
  { account, bar, client, history }: ExportRun,
  { purchases, results }: RunParts,
  types: readonly string[],
): Promise<LimitName | undefined> {
  if (types.length === 0 || results.skipIfHeld('medians', OPERATIONS.stats.path)) return undefined;
  let limitReached: LimitName | undefined;
  await results.attempt('medians', async () => {
    for (const [i, type] of types.entries()) {
      bar.show('Medians', i, types.length);
      const { limit, credits } = account.left();
      if (credits < OPERATIONS.stats.cost) {
        limitReached = limit;
        return;
      }
      const now = client.now();
      await rememberFailure(history, mediansOf(type), now, async () => {
        const stats = await client.call(
          'stats',
          { screener_type: type },
          { noRetryOfLostAnswer: true },
        );
        await appendStats(history.directory, { at: now, type, stats });
      });
      purchases.medians += 1;
    }
    results.succeed('medians');
    results.setUnfinished('medians', false);
  });
  return limitReached;
}

/** A request for something beside cards. */
interface OtherRequest {
  /** Its name in `refused` of export.json. */
  readonly key: string;
  /** What it asks for, in words that follow "Could not get". */
  readonly what: string;
  /** The option that leaves it out. */
  readonly option: string;
}

const SETTINGS: OtherRequest = {
  key: 'screeners',
  what: "the screeners' settings",
  option: '--no-screeners',
};

function mediansOf(type: string): OtherRequest {
  return {
    key: `stats ${type}`,
    what: `the service's medians for ${type}`,
    option: '--no-stats',
  };
}

/**
 * Sends a request. If the service fails it, `refused` of the manifest gets the time, so that no run asks again too soon.
 * @param send sends the request, and keeps its answer
 * @throws ScreenerError that names what was asked for
 */
async function rememberFailure(
  history: ExportRun['history'],
  { key, what, option }: OtherRequest,
  now: number,
  send: () => Promise<void>,
): Promise<void> {
  try {
    await send();
  } catch (error) {
    if (!(error instanceof ScreenerError) || error.scope === 'local') throw error;
    const { manifest } = history;
    const refused = { ...manifest.refused, [key]: formatApiTime(now) };
    history.manifest = { ...manifest, refused };
    const { message, hint = 'A later run asks again.' } = error;
    throw error.with({
      message: `Could not get ${what}: ${message}`,
      hint: `${hint} ${option} leaves this out.`,
    });
  }
}
