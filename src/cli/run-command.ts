import { commandOf, type Path, type Way, wayFor, wordsOf } from '../commands/declaration.ts';
import type { Invocation } from '../commands/invocation.ts';
import { keyOf, offeredFor } from '../commands/option.ts';
import { ScreenerError, usageError } from '../errors.ts';
import type { History } from '../history/store/history.ts';
import { didYouMean, hasField } from '../output/fields.ts';
import type { Context } from '../runtime/context.ts';
import {
  givenFlags,
  readArgument,
  readGlobals,
  readOptions,
  readZone,
  type Typed,
  withArgument,
} from './read-options.ts';
import { screener } from './screener.ts';

/**
 * Runs a parsed command line: reads its options, checks the fields they name, answers --plan, finds the history, and
 * runs the way that the options ask for.
 * @throws ScreenerError
 */
export async function runCommand(path: Path, typed: Typed, words: readonly string[], context: Context): Promise<void> {
  const command = commandOf(path);
  const { options: declared = [], argument, act } = command;
  const reading = { now: context.clock.now(), env: context.env, zone: readZone(context.env) };
  const given = withArgument(typed, argument, words);
  const options = { ...readArgument(argument, words, reading), ...readOptions(declared, given, reading) };
  const globals = readGlobals(typed, reading);
  if (act !== undefined) return act({ context, words, root: screener });
  const way = wayFor(command, givenFlags(declared, given));
  if (way === undefined) return;
  const { runSession } = await import('./session.ts');
  await runSession(context, globals, async (invocation) => {
    await checkNamedFields(path, way, options, invocation);
    if (globals.plan && way.sends !== 'itself') {
      const { printPlan } = await import('../commands/plan.ts');
      return printPlan(invocation, way.sends?.(options as never) ?? []);
    }
    const all = way.isLocal ? { ...options, history: await historyOf(options, invocation, way) } : options;
    await (await way.run()).run(invocation, all as never).catch((error: unknown) => {
      throw 'from' in options && options.from !== undefined ? error : ofDefaultHistory(error);
    });
  });
}

/** For the default history the hint says how to make one. */
function ofDefaultHistory(error: unknown): unknown {
  if (!(error instanceof ScreenerError) || error.code !== 'no_history') return error;
  return new ScreenerError('no_history', error.message, {
    hint: 'Name one with --from DIR, or make one, which spends credits right away (--plan shows how many):\nscreener signals export',
    cause: error,
  });
}

/** Checks the names in --fields and in options that take a field. @throws ScreenerError usage */
async function checkNamedFields(
  path: Path,
  way: Way,
  options: Readonly<Record<string, unknown>>,
  { globals }: Invocation,
): Promise<void> {
  const ofOptions = (commandOf(path).options ?? [])
    .filter((one) => offeredFor(one)?.kind === 'fields')
    .flatMap((one) => options[keyOf(one)] ?? [])
    .map((name) => String(name).replace(/^-/, ''));
  const fields = (await way.fields?.()) ?? [];
  const unknown = [...(globals.fields ?? []), ...ofOptions].find((name) => !hasField(fields, name));
  if (unknown === undefined || way.fields === undefined) return;
  const names = fields.map((field) => field.name);
  throw usageError(
    `There is no field '${unknown}' in this output.${didYouMean(unknown, names)}`,
    `\`screener help fields ${wordsOf(path).replace('screener ', '')}\` lists those of every output.`,
  );
}

async function historyOf(
  { from }: { readonly from?: string },
  invocation: Invocation,
  { sends }: Way,
): Promise<History> {
  const { findHistory, noteOtherAccount } = await import('../commands/find-history.ts');
  const history = await findHistory(invocation, from);
  // A command that exports first refuses another account's.
  if (sends === undefined) await noteOtherAccount(invocation, history);
  return history;
}
