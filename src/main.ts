import { EXIT, OutputClosed, ScreenerError, StoppedByUser } from './errors.ts';
import { keepCompiled, makeCacheFolder } from './runtime/compile-cache.ts';
import { type Context, processContext } from './runtime/context.ts';
import { isOutOfMemory, isTooLarge } from './runtime/engine.ts';
import { dieOfSignal } from './runtime/stop-signal.ts';
import { version } from './version.ts';

/** The program's entry: the real process in, its exit code out. An interrupted one ends by its signal, and not here. */
export async function run(): Promise<number> {
  const context = processContext();
  keepCompiled(context.directories.cache);
  const code = await main(context);
  if (code === EXIT.interrupted) dieOfSignal();
  return code;
}

/**
 * Runs one command line. The one place where an error becomes an exit code and a message on stderr.
 * @returns the exit code
 */
export async function main(context: Context): Promise<number> {
  try {
    // Scripts and prompts ask for the version in loops: nothing else is loaded for it.
    if (context.argv.length === 1 && /^(-V|--version|version)$/.test(context.argv[0] ?? '')) {
      await context.stdout.write(`${version}\n`);
      return EXIT.done;
    }
    // A user's shell waits for this at every TAB.
    if (context.argv[0] === 'complete') {
      const { complete } = await import('./cli/complete.ts');
      await complete(context);
      return EXIT.done;
    }
    const { screener } = await import('./cli/screener.ts');
    const { quickHelp } = await import('./cli/print-help.ts');
    if (await quickHelp(screener, context)) return EXIT.done;
    makeCacheFolder(context.directories.cache);
    const { runCli } = await import('./cli/program.ts');
    await runCli(context);
    return EXIT.done;
  } catch (error) {
    return report(context, error);
  }
}

async function report(context: Context, error: unknown): Promise<number> {
  if (error instanceof OutputClosed) return EXIT.done;
  if (error instanceof StoppedByUser) return error.exitCode;
  const known = error instanceof ScreenerError ? error : unexpected(error);
  const { renderError } = await import('./output/errors.ts');
  const { formatAsked, readCommandLine } = await import('./cli/command-line.ts');
  const { screener } = await import('./cli/screener.ts');
  const line = readCommandLine(screener, context.argv);
  const color = line.given.has('--no-color') ? false : undefined;
  const { message } = known;
  const brief = message.length > LONGEST ? `${message.slice(0, LONGEST)}…` : message;
  const format = formatAsked(line, context.env.SCREENER_OUTPUT);
  const text = renderError(context, { ...known, message: brief }, format, color);
  // Where stderr is closed too, the exit code is all the user gets.
  await context.stderr.write(text).catch(() => {});
  return known.exitCode;
}

/** Characters: an error may quote a word of the command line, which has 120,000 at most. */
const LONGEST = 500;

function unexpected(error: unknown): ScreenerError {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG') {
    return new ScreenerError(
      'storage',
      'Standard output cannot be written: no space left on the device.',
      {
        hint: 'Free some space; what had been written so far is incomplete.',
        cause: error,
      },
    );
  }
  if (isOutOfMemory(error) || isTooLarge(error)) {
    return new ScreenerError(
      'storage',
      'What was read is too large, or nested too deep, for the memory there is.',
      {
        hint: 'Ask for less at once, or free some memory. `screener signals export --check` finds damaged lines.',
        cause: error,
      },
    );
  }
  return new ScreenerError('unexpected', `Unexpected failure: ${message ?? String(error)}`, {
    hint: 'This is a bug in screener. Please report the command line and this text.',
    cause: error,
  });
}
