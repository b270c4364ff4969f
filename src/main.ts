import { EXIT, OutputClosed, ScreenerError, StoppedByUser } from './errors.ts';
import { keepCompiled, makeCacheFolder } from './runtime/compile-cache.ts';
import { type Context, processContext } from './runtime/context.ts';
import { dieOfSignal } from './runtime/stop-signal.ts';
import { version } from './version.ts';

/** How many characters of an error's message are printed: it may quote an argument, which may have 120,000 characters. */
const LONGEST_MESSAGE = 500;

/**
 * The program's entry, in the real process.
 * @returns the exit code. An interrupted process does not return: it dies of its signal, so that a shell's loop ends,
 *   too.
 */
export async function run(): Promise<number> {
  const context = processContext();
  keepCompiled(context.directories.cache);
  const code = await main(context);
  if (code === EXIT.interrupted) dieOfSignal();
  return code;
}

/**
 * Runs one command line. Only here does an error become an exit code and a message on stderr.
 * @returns the exit code
 */
export async function main(context: Context): Promise<number> {
  try {
    // Scripts and prompts ask for the version in loops: nothing else is loaded for it.
    if (context.argv.length === 1 && /^(-V|--version|version)$/.test(context.argv[0] ?? '')) {
      await context.stdout.write(`${version}\n`);
      return EXIT.done;
    }
    // The user's shell waits for completion at every TAB: the other commands are not loaded for it.
    if (context.argv[0] === 'complete') {
      const { complete } = await import('./cli/complete.ts');
      await complete(context);
      return EXIT.done;
    }
    const { screener } = await import('./cli/screener.ts');
    const { quickHelp } = await import('./cli/print-help.ts');
    if (await quickHelp(screener, context)) return EXIT.done;
    // The folder is made only here, because version, completion and help leave no files.
    makeCacheFolder(context.directories.cache);
    const { runCli } = await import('./cli/program.ts');
    await runCli(context);
    return EXIT.done;
  } catch (error) {
    return reportFailure(context, error);
  }
}

/** Prints an error on stderr. @returns the exit code */
async function reportFailure(context: Context, error: unknown): Promise<number> {
  if (error instanceof OutputClosed) return EXIT.done;
  if (error instanceof StoppedByUser) return error.exitCode;
  const isForeseen = error instanceof ScreenerError;
  const failure = isForeseen ? error : (await import('./cli/unexpected.ts')).unexpectedError(error);
  const { renderError } = await import('./output/errors.ts');
  const { formatAsked, readCommandLine } = await import('./cli/command-line.ts');
  const { screener } = await import('./cli/screener.ts');
  const line = readCommandLine(screener, context.argv);
  // `undefined` leaves the choice to `renderError`, which looks at the terminal.
  const color = line.typedValues.has('--no-color') ? false : undefined;
  const format = formatAsked(line, context.env.SCREENER_OUTPUT);
  const shortFailure = failure.with({ message: shortened(failure.message) });
  let text = renderError(context, shortFailure, format, color);
  if (!isForeseen && error instanceof Error && line.typedValues.has('--verbose'))
    text = `${context.secrets.hide(error.stack ?? '')}\n${text}`;
  // If stderr is closed, the exit code alone tells of the failure.
  await context.stderr.write(text).catch(() => {});
  return failure.exitCode;
}

function shortened(message: string): string {
  return message.length > LONGEST_MESSAGE ? `${message.slice(0, LONGEST_MESSAGE)}…` : message;
}
