import { formatApiTime } from '../api/time.ts';
import { asWritten, tuningOf } from '../outcomes/tune.ts';
import type { Cut, Question } from '../outcomes/tune-types.ts';
import type { HorizonName } from '../outcomes/types.ts';
import { didYouMean } from '../output/fields.ts';
import { type Tune, type TunePage, tunePage, tuneView } from '../output/views/tune.ts';
import { pluralize } from '../runtime/pluralize.ts';
import { askedFor, explainEmpty, type OfHistory, readRows } from './history-rows.ts';
import type { Invocation } from './invocation.ts';
import { cardWords, commandLine } from './next-command.ts';

interface Options extends OfHistory {
  readonly key: string | undefined;
  readonly horizon: HorizonName | undefined;
}

/**
 * `screener tune [TYPE]`: which numbers known at the trigger go with what came after, and what stricter settings would
 * have kept; 0 credits, no network.
 */
export async function run(invocation: Invocation, options: Options): Promise<void> {
  const { context, globals, output } = invocation;
  const rows = await readRows(invocation, options);
  if (rows.length === 0) await explainEmpty(invocation, options);
  const all = tuningOf(rows);
  const isAsked = (one: Question | Cut) =>
    (options.key === undefined || one.key === options.key) &&
    (options.horizon === undefined || one.horizon === options.horizon);
  sayUnknownKey(invocation, options.key, all.questions);
  const answer: Tune = {
    ...askedFor(options),
    generated_at: formatApiTime(context.clock.now()),
    bought: rows.filter(({ isBought }) => isBought).length,
    ...asWritten({ questions: all.questions.filter(isAsked), cuts: all.cuts.filter(isAsked) }),
  };
  if (!output.isForPeople || globals.fields !== undefined) return output.one(tuneView, answer);
  await output.one(tunePage(await pageOf(invocation, options, answer)), answer);
}

function sayUnknownKey({ notes }: Invocation, key: string | undefined, questions: readonly Question[]): void {
  const keys = [...new Set(questions.map((one) => one.key))];
  if (key === undefined || keys.includes(key) || keys.length === 0) return;
  notes.note(
    `No card has an entry_context key '${key}'.${didYouMean(key, keys)} There are ${pluralize(keys.length, 'key')}.`,
  );
}

async function pageOf(invocation: Invocation, options: Options, answer: Tune): Promise<TunePage> {
  const { type, history, from, horizon = '24h', ...filter } = options;
  const settings = (await history.looks()).at(-1)?.screeners.items.filter((one) => one.type === type);
  const [first] = answer.questions;
  const where = from === undefined ? [] : ['--from', history.directory];
  return {
    horizon,
    conditions: settings === undefined || settings.length === 0 ? undefined : JSON.stringify(settings),
    inFull: commandLine(invocation, ['tune'], [...where, ...cardWords(filter)], type ?? first?.type ?? 'TYPE'),
  };
}
