import { type HorizonName, MAIN_HORIZON } from '../api/contract/horizons.ts';
import { formatApiTime } from '../api/time.ts';
import { usageError } from '../errors.ts';
import { asPrinted } from '../outcomes/figure.ts';
import { advicesOf } from '../outcomes/judge-numbers.ts';
import type { Standing } from '../outcomes/standing.ts';
import { tuningOf } from '../outcomes/tune.ts';
import type { Advice, Cut, Question } from '../outcomes/tune-types.ts';
import { didYouMean } from '../output/fields.ts';
import { likelySetting } from '../output/views/settings-text.ts';
import { type Tune, type TunePage, tunePage, tuneView } from '../output/views/tune.ts';
import { isAdvice, worthTrying } from '../output/views/tune-words.ts';
import type { FindingLine } from '../output/views/verdict.ts';
import { pluralize } from '../runtime/units.ts';
import {
  askedFor,
  explainEmpty,
  judgedTypes,
  readSample,
  type Sample,
} from './parts/history-rows.ts';
import type { Invocation } from './parts/invocation.ts';
import { cardOptions, commandLine } from './parts/next-command.ts';
import type { OfHistory } from './parts/where.ts';

type TuneOptions = OfHistory &
  Readonly<{ key?: string | undefined; horizon?: HorizonName | undefined; detail: boolean }>;

export async function run(invocation: Invocation, options: TuneOptions): Promise<void> {
  const { globals, output } = invocation;
  const { type } = options;
  // The other types are what its cards are compared with.
  const sample = await readSample(invocation, { ...options, type: undefined });
  const { rows, question } = sample;
  const own = type === undefined ? rows : rows.filter((row) => row.type === type);
  if (own.length === 0) await explainEmpty(invocation, options);
  const isPage = output.isForPeople && globals.fields === undefined;
  const horizon = options.horizon ?? (isPage ? MAIN_HORIZON : undefined);
  const all = tuningOf(rows, { ...question, type, horizon });
  const isAsked = (one: Question | Cut) => options.key === undefined || one.key === options.key;
  if (all.questions.length > 0 && !all.questions.some(isAsked)) {
    const guess = didYouMean(options.key ?? '', [...new Set(all.questions.map(({ key }) => key))]);
    throw usageError(`No number at the trigger is called '${options.key}'.${guess}`);
  }
  const answer: Tune = {
    ...askedFor(options),
    generated_at: formatApiTime(question.now),
    bought: own.filter(({ isBought }) => isBought).length,
    ...asPrinted({ questions: all.questions.filter(isAsked), cuts: all.cuts.filter(isAsked) }),
  };
  if (!isPage) return output.one(tuneView, answer);
  const { comparison, standings } = judgedTypes(sample);
  const page = {
    horizon: options.horizon ?? MAIN_HORIZON,
    isDetailed: options.detail,
    asSetNow: comparison.groups,
    settings: sample.known.screeners.filter((one) => one.type === type),
    silenceOf: (of: string) => {
      const days = standings.find(({ group }) => group === of)?.silentDays;
      return days === undefined ? undefined : `no card for ${pluralize(days, 'day')}`;
    },
    inFull: tuneCommand(
      invocation,
      options,
      type ?? answer.questions[0]?.type ?? 'TYPE',
      options.horizon,
    ),
  } satisfies TunePage;
  await output.page((render) => tunePage(answer, page, render));
}

export function tuneCommand(
  invocation: Invocation,
  options: OfHistory,
  type?: string,
  horizon?: string,
): string {
  const cards = { '--from': options.from, ...cardOptions({ ...options, type: undefined }) };
  return commandLine(invocation, 'tune', { ...cards, '--horizon': horizon }, type);
}

const MOST_CARDS = 20_000;

/** The stricter settings that the notebook advises, without it those that `tune` names; each with its setting or command. */
export function triesOf(
  invocation: Invocation,
  options: OfHistory,
  sample: Sample,
  standings: readonly Standing[],
): FindingLine[] {
  if (!invocation.output.isForPeople) return [];
  const { rows, question } = sample;
  const { findings } = question;
  // Working them out would hold up the screen that they stand on.
  if (findings === undefined && rows.length > MOST_CARDS) return [];
  const worked = () => tuningOf(rows, { ...question, horizon: MAIN_HORIZON }).cuts.filter(isAdvice);
  const advices = findings === undefined ? worked() : advicesOf(findings);
  const commandOf = (type: string) => `\`${tuneCommand(invocation, options, type)}\``;
  return worthTrying(advices, standings, (one) => nowWords(sample, one) || commandOf(one.type));
}

/** `probably price change pct, now 3`: the setting that it is; empty if none can be told. */
export function nowWords(sample: Sample, advice: Advice): string {
  const own = sample.known.screeners.filter(({ type }) => type === advice.type);
  const likely = likelySetting(own, advice);
  return likely ? `probably ${likely.name}, now ${likely.now}` : '';
}
