import { didYouMean } from '../base/near-names.ts';
import {
  commandOf,
  commandWords,
  outputClassOf,
  type Path,
  type Variant,
  variantFor,
  wordsOf,
} from '../commands/parts/declaration.ts';
import type { GlobalOptions, Invocation } from '../commands/parts/invocation.ts';
import { exportCommand } from '../commands/parts/next-command.ts';
import { keyOf, offeredFor } from '../commands/parts/option.ts';
import { symbolInHistory, symbolToSend } from '../commands/parts/symbol.ts';
import { ScreenerError, usageError } from '../errors.ts';
import type { History } from '../history/store/history.ts';
import { hasField } from '../output/fields.ts';
import { FORMAT_NAMES, FORMATS } from '../output/formats.ts';
import type { Context } from '../runtime/context.ts';
import { uselessChoiceError } from './output-choices.ts';
import { readInput, type Typed } from './read-options.ts';

/** The options that this file reads, whichever command has them. The command reads the others. */
interface CommandOptions extends Typed {
  /** The folder of a history, as `--from` names it. */
  readonly from?: string;
  /** The folder of a history, as the argument of `signals export` names it. */
  readonly dir?: string;
  /** Epoch milliseconds UTC. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  readonly symbol?: string | undefined;
}

/** Runs the variant that the options ask for. With --plan it prints the plan, unless the variant makes its own. @throws ScreenerError */
export async function runCommand(
  path: Path,
  typed: Typed,
  words: readonly string[],
  context: Context,
): Promise<void> {
  const command = commandOf(path);
  const input = readInput(command, typed, words, context);
  const { typedFlags, globals: typedGlobals } = input;
  // A plan is printed whole, whatever fields the line chooses: so --plan can be added to any line.
  const globals = typedGlobals.plan ? { ...typedGlobals, fields: undefined } : typedGlobals;
  const variant = variantFor(command, typedFlags);
  // `screener completion` has no variant: it runs without output, notes and connection.
  if (variant === undefined) {
    checkOutputChoices(path, variant, typed, globals);
    if (globals.plan) return planNothing(context, globals);
    return command.runBare?.(context, words[0]);
  }
  const options = variant.isLocal ? input.options : withSymbolToSend(input.options);
  const { runSession } = await import('./session.ts');
  await runSession(context, globals, async (invocation) => {
    await checkNamedFields(path, variant, options, typedGlobals);
    checkOutputChoices(path, variant, typed, globals);
    if (globals.plan && variant.plan !== 'command') {
      const { printPlan } = await import('../commands/parts/plan.ts');
      const work = variant.plan === undefined ? [] : variant.plan(options as never);
      return printPlan(invocation, work);
    }
    const { from }: CommandOptions = options;
    const optionsAndHistory = variant.isLocal
      ? await withHistory(options, invocation, variant)
      : options;
    const module = await variant.run();
    try {
      await module.run(invocation, optionsAndHistory as never);
    } catch (error) {
      const hasNoHistory = error instanceof ScreenerError && error.code === 'no_history';
      if (!hasNoHistory) throw error;
      throw await withRemedy(error, invocation, from);
    }
  });
}

/** The plan of a command that sends nothing. */
async function planNothing(context: Context, globals: GlobalOptions) {
  const { runSession } = await import('./session.ts');
  const { printPlan } = await import('../commands/parts/plan.ts');
  await runSession(context, globals, (invocation) => printPlan(invocation, []));
}

/**
 * Adds to the error `no_history` a hint that says how to get a history.
 * @param from the folder that --from named; undefined if --from was not typed
 */
async function withRemedy(error: ScreenerError, invocation: Invocation, from: string | undefined) {
  const { accountLoggedIn } = await import('../commands/parts/find-history.ts');
  const { defaultHistory } = await import('../history/default-history.ts');
  const { isFile } = await import('../history/store/layout.ts');
  const { context, globals } = invocation;
  const isFromTyped = from !== undefined;
  const errorWith = (hint: string) =>
    new ScreenerError('no_history', error.message, { hint, cause: error });
  // If a file lies where the folder should be, neither a login nor an export helps.
  if (isFile(from ?? defaultHistory(context))) {
    const name = isFromTyped ? '--from' : 'SCREENER_HISTORY';
    return errorWith(`${name} must name a folder.`);
  }
  const isLoggedIn = accountLoggedIn(context, globals.baseUrl) !== undefined;
  if (!isFromTyped && !isLoggedIn) {
    return errorWith(
      'Log in first, or look at invented data (the second line needs no key):\nscreener login\nscreener --demo today',
    );
  }
  const firstStep = isFromTyped ? 'Check the path of --from' : 'Name one with --from DIR';
  const line = exportCommand(invocation, from);
  return errorWith(
    `${firstStep}, or make one, which spends credits right away (--plan shows how many):\n${line}`,
  );
}

/** Checks the names in --fields and in options that take a field to sort by. @throws ScreenerError usage */
async function checkNamedFields(
  path: Path,
  variant: Variant,
  options: Typed,
  globals: GlobalOptions,
): Promise<void> {
  const fields = await variant.fields();
  const areColumns = await areFieldsOfRows(variant, globals);
  const chosenFields = areColumns ? [] : (globals.fields ?? []);
  const namesToCheck = [...chosenFields, ...sortFieldsTyped(path, variant, options)];
  const unknownName = namesToCheck.find((name) => !hasField(fields, name));
  if (unknownName === undefined) return;
  const names = fields.map((field) => field.name);
  throw usageError(
    `There is no field '${unknownName}' in this output.${didYouMean(unknownName, names)}`,
    `\`screener help fields ${commandWords(path)}\` lists the fields of every output.`,
  );
}

/** The fields that options such as --sort name. */
function sortFieldsTyped(path: Path, variant: Variant, options: Typed): string[] {
  // Only the cards or groups of a history are sorted. Without a history the command refuses --sort, whatever field it names.
  if (!variant.isLocal) return [];
  const { options: declared = [] } = commandOf(path);
  const sortOptions = declared.filter((option) => offeredFor(option)?.kind === 'sort_field');
  const typedSorts = sortOptions.flatMap((option) => options[keyOf(option)] ?? []);
  // `--sort -NAME` reverses the order.
  return typedSorts.map((name) => String(name).replace(/^-/, ''));
}

/**
 * Whether --fields names only columns of the rows that CSV has for this variant, for example the questions of `tune`. If it
 * names another field, CSV writes the fields of the whole output.
 */
async function areFieldsOfRows(
  variant: Variant,
  { format, fields: names = [] }: GlobalOptions,
): Promise<boolean> {
  if (!FORMATS[format].hasColumns || variant.rows === undefined) return false;
  const columns = await variant.rows();
  return names.every((name) => hasField(columns, name));
}

/** @throws ScreenerError usage, if a typed format or --fields would change nothing of what the command prints */
function checkOutputChoices(
  path: Path,
  variant: Variant | undefined,
  typed: Typed,
  { fields, format, plan }: GlobalOptions,
): void {
  if (plan) return;
  const formatOptions = [typed.output, ...FORMAT_NAMES.map((name) => typed[name])];
  const isFormatTyped = formatOptions.some((value) => value !== undefined);
  const error = uselessChoiceError(outputClassOf(commandOf(path), variant), {
    words: wordsOf(path),
    typedFormat: isFormatTyped ? format : undefined,
    format,
    hasFields: fields !== undefined,
  });
  if (error !== undefined) throw error;
}

function withSymbolToSend(options: CommandOptions): CommandOptions {
  const { symbol } = options;
  return symbol === undefined ? options : { ...options, symbol: symbolToSend(symbol) };
}

/** Adds the history that the options name, and spells the symbol as the cards of that history do. */
async function withHistory(options: CommandOptions, invocation: Invocation, variant: Variant) {
  const { from, dir, symbol } = options;
  const history = await historyOf(dir ?? from, invocation, variant);
  if (symbol === undefined) return { ...options, history };
  return { ...options, history, symbol: await symbolInHistory(history, symbol, options) };
}

/** @param folder the folder that the user named; undefined for the default history */
async function historyOf(
  folder: string | undefined,
  invocation: Invocation,
  { plan }: Variant,
): Promise<History> {
  const { findHistory, noteOtherAccount } = await import('../commands/parts/find-history.ts');
  const history = await findHistory(invocation, folder);
  // An export, which makes its own plan, refuses the history of another account: a note would say it twice.
  if (plan !== 'command') await noteOtherAccount(invocation, history);
  return history;
}
