import type { Command } from 'commander';
import type { Invocation } from '../commands/invocation.ts';
import type { Context } from '../runtime/context.ts';
import type { RawGlobals } from './global-options.ts';

type Run<Options> = (invocation: Invocation, options: Options) => Promise<void>;

/**
 * A commander action that opens a session and runs a command in it. Everything a command needs is loaded here, when it
 * is needed, so that help and completion stay quick.
 * @param load the command's module
 * @param read turns commander's texts into the command's options; may throw usage errors
 */
export function action<Raw, Options>(
  context: Context,
  load: () => Promise<Run<Options>>,
  read: (raw: Raw, words: string[]) => Options,
): (...given: unknown[]) => Promise<void> {
  return async (...given) => {
    const command = given.at(-1) as Command;
    const raw = command.optsWithGlobals<RawGlobals & Raw>();
    const options = read(raw, command.args);
    const { runSession } = await import('./session.ts');
    await runSession(context, raw, async (invocation) => (await load())(invocation, options));
  };
}

/** For commands without options of their own. */
export const nothing = (): undefined => undefined;
