import { MAIN_HORIZON } from '../../api/contract/horizons.ts';
import { advicesOf } from '../../outcomes/judge-numbers.ts';
import { tuningOf } from '../../outcomes/tune.ts';
import type { Advice } from '../../outcomes/tune-types.ts';
import { likelySetting } from '../../output/views/screeners.ts';
import { circumstanceWords, isAdvice, worthTrying } from '../../output/views/tune-words.ts';
import type { FindingLine } from '../../output/views/verdict.ts';
import type { Sample } from './history-rows.ts';
import type { Invocation } from './invocation.ts';
import { cardOptions, commandLine } from './next-command.ts';
import type { OfHistory } from './where.ts';

/** The line that asks `tune` of the same cards. */
export function tuneCommand(invocation: Invocation, options: OfHistory, type?: string, horizon?: string): string {
  const cards = { '--from': options.from, ...cardOptions({ ...options, type: undefined }) };
  return commandLine(invocation, 'tune', { ...cards, '--horizon': horizon }, type);
}

/** The stricter settings that the notebook advises, without it those that `tune` names; each with its setting or command. */
export function triesOf(invocation: Invocation, options: OfHistory, sample: Sample): FindingLine[] {
  if (!invocation.output.isForPeople) return [];
  const { rows, question } = sample;
  const { findings } = question;
  const worked = () => tuningOf(rows, { ...question, horizon: MAIN_HORIZON }).cuts.filter(isAdvice);
  const advices = findings === undefined ? worked() : advicesOf(findings);
  const commandOf = (type: string) => `\`${tuneCommand(invocation, options, type)}\``;
  return worthTrying(advices, (one) => nowWords(sample, one) || commandOf(one.type));
}

/** `now: price change pct 3`, of the setting that it probably is; empty if none can be told. */
export function nowWords(sample: Sample, advice: Advice): string {
  if (circumstanceWords(advice.key) !== undefined) return 'no setting: act only on such cards';
  const own = sample.known.screeners.filter(({ type }) => type === advice.type);
  const likely = likelySetting(own, advice);
  return likely ? `now: ${likely.name} ${likely.now}` : '';
}
