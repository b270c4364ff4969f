import { type HorizonName, MAIN_HORIZON } from '../api/contract/horizons.ts';
import { formatApiTime } from '../api/time.ts';
import { figuresOf } from '../outcomes/figures.ts';
import type { Row } from '../outcomes/row.ts';
import { asWritten, tuningOf } from '../outcomes/tune.ts';
import type { Cut, Question } from '../outcomes/tune-types.ts';
import { didYouMean } from '../output/fields.ts';
import { questionView, type Tune, type TunePage, tunePage, tuneView } from '../output/views/tune.ts';
import { pluralize } from '../runtime/pluralize.ts';
import { askedFor, explainEmpty, type OfHistory, printList, questionOf, readRows } from './history-rows.ts';
import type { Invocation } from './invocation.ts';
import { cardWords, commandLine } from './next-command.ts';

interface Options extends OfHistory {
  readonly key: string | undefined;
  readonly horizon: HorizonName | undefined;
  readonly detail: boolean;
}

/**
 * `screener tune [TYPE]`: which numbers known at the trigger go with what came after, and what stricter settings would
 * have kept; 0 credits, no network.
 */
export async function run(invocation: Invocation, options: Options): Promise<void> {
  const { context, globals, output } = invocation;
  const { type } = options;
  // The other types are what its cards are compared with.
  const rows = await readRows(invocation, { ...options, type: undefined });
  const own = type === undefined ? rows : rows.filter((row) => row.type === type);
  if (own.length === 0) await explainEmpty(invocation, options);
  const now = invocation.context.clock.now();
  const isPage = output.isForPeople && globals.fields === undefined;
  const horizon = options.horizon ?? (isPage ? MAIN_HORIZON : undefined);
  const all = tuningOf(rows, { ...(await questionOf(options, rows, now)), type, horizon });
  const isAsked = (one: Question | Cut) => options.key === undefined || one.key === options.key;
  sayUnknownKey(invocation, options.key, all.questions);
  const answer: Tune = {
    ...askedFor(options),
    generated_at: formatApiTime(context.clock.now()),
    bought: own.filter(({ isBought }) => isBought).length,
    ...asWritten({ questions: all.questions.filter(isAsked), cuts: all.cuts.filter(isAsked) }),
  };
  if (globals.format === 'csv' && globals.fields === undefined) {
    return printList(invocation, questionView, { items: answer.questions, head: {} });
  }
  if (!isPage) return output.one(tuneView, answer);
  await output.one(tunePage(await pageOf(invocation, options, rows, answer)), answer);
}

function sayUnknownKey({ notes }: Invocation, key: string | undefined, questions: readonly Question[]): void {
  const keys = [...new Set(questions.map((one) => one.key))];
  if (key === undefined || keys.includes(key) || keys.length === 0) return;
  notes.note(
    `No card has a number '${key}' in its entry context.${didYouMean(key, keys)} There are ${pluralize(keys.length, 'number')}.`,
  );
}

async function pageOf(invocation: Invocation, options: Options, rows: readonly Row[], answer: Tune): Promise<TunePage> {
  const { type, history, from, horizon = MAIN_HORIZON, detail, key: _, ...filter } = options;
  const settings = (await history.looks()).at(-1)?.screeners.items.filter((one) => one.type === type);
  const [first] = answer.questions;
  const where = from === undefined ? [] : ['--from', history.directory];
  return {
    horizon,
    isDetailed: detail,
    asSetNow: type === undefined ? undefined : await asSetNow(invocation, options, rows),
    conditions: settings === undefined || settings.length === 0 ? undefined : JSON.stringify(settings),
    inFull: commandLine(invocation, ['tune'], [...where, ...cardWords(filter)], type ?? first?.type ?? 'TYPE'),
  };
}

/** All cards of the type, as `stats` has them. @param rows of all types */
async function asSetNow({ context }: Invocation, options: Options, rows: readonly Row[]) {
  const question = await questionOf(options, rows, context.clock.now());
  return figuresOf(rows, { ...question, by: 'type', hasPast: false }).groups.find(
    ({ group }) => group === options.type,
  );
}
