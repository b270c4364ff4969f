import { MAIN_HORIZON } from '../../api/contract/horizons.ts';
import { tuningOf } from '../../outcomes/tune.ts';
import type { Pair } from '../../output/types.ts';
import { settingsOf } from '../../output/views/settings-history.ts';
import { worthTrying } from '../../output/views/tune-words.ts';
import { type OfHistory, type Sample, screenersOf } from './history-rows.ts';
import type { Invocation } from './invocation.ts';
import { cardWords, commandLine, historyWords } from './next-command.ts';

/** The line that asks `tune` of the same cards. @param more options */
export function tuneCommand(invocation: Invocation, options: OfHistory, type?: string, more: string[] = []): string {
  const where = options.from === undefined ? [] : historyWords(options);
  return commandLine(invocation, ['tune'], [...where, ...cardWords({ ...options, type: undefined }), ...more], type);
}

/** More of them would hold up the screen that it stands on. */
const MOST_CARDS = 10_000;

/** The stricter settings that `tune` would try, each with its command line. */
export function triesOf(invocation: Invocation, options: OfHistory, sample: Sample): Pair[] {
  const { rows, question } = sample;
  if (!invocation.output.isForPeople) return [];
  const bought = rows.filter(({ isBought }) => isBought).length;
  if (bought > MOST_CARDS) return [['Worth trying', `see \`${tuneCommand(invocation, options)}\``]];
  const tuning = tuningOf(rows, { ...question, horizon: MAIN_HORIZON, hasPast: false });
  const commandOf = (type: string) => `\`${tuneCommand(invocation, options, type)}\``;
  return worthTrying(tuning, (type) => [nowWords(sample, type), commandOf(type)].filter(Boolean).join('; '));
}

/** `now: price change pct 3; window minutes 15`, of the settings last looked at; empty if none were. */
export function nowWords(sample: Sample, type: string): string {
  const own = screenersOf(sample).filter((one) => one.type === type);
  return own.length === 0 ? '' : `now: ${settingsOf(own)}`;
}
