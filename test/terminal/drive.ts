import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Home } from '../support/home.ts';
import { pythonPath } from '../support/programs.ts';
import { cleanEnv, programPath, startCommand } from '../support/run.ts';

const DRIVE = path.join(fileURLToPath(new URL('.', import.meta.url)), 'drive.py');

/** What a person does at the terminal, once `after` was seen since the step before. */
interface Step {
  readonly after: string;
  readonly send?: string;
  /** Notes the terminal's modes. */
  readonly look?: boolean;
  /** Called when the step is done. */
  readonly done?: () => void;
}

interface TerminalOptions {
  readonly home: Home;
  readonly env?: Record<string, string | undefined>;
  readonly streams?: Partial<Record<'stdin' | 'stdout' | 'stderr', 'tty' | 'pipe' | 'closed'>>;
  readonly steps?: readonly Step[];
}

type Modes = Readonly<Record<'echo' | 'lines' | 'signals', boolean>>;

export interface OnTerminal {
  /** Negative for a signal. */
  readonly code: number;
  /** All that was written to the terminal. */
  readonly tty: string;
  readonly stdout: string;
  readonly stderr: string;
  /** Steps that never came. */
  readonly left: number;
  readonly modes: {
    readonly before: Modes;
    readonly looks: readonly Modes[];
    readonly after: Modes;
  };
}

export const CTRL_C = '\u0003';
export const CTRL_Z = '\u001a';
export const ESCAPE = '\u001b';

/** Runs the built program on a pseudo-terminal. @throws where a step never came */
export function onTerminal(args: readonly string[], options: TerminalOptions): Promise<OnTerminal> {
  return commandOnTerminal([process.execPath, programPath(), ...args], options);
}

/** The same for any command. */
export async function commandOnTerminal(
  command: readonly string[],
  options: TerminalOptions,
): Promise<OnTerminal> {
  const { home, env, streams, steps = [] } = options;
  // Without what a site adds to Python it begins in half of the time.
  const running = startCommand([pythonPath(), '-I', '-S', DRIVE], { home });
  const { stdin, stderr: said } = running.child;
  stdin?.on('error', () => {});
  const whole = cleanEnv(home, { TERM: 'xterm-256color', ...env });
  stdin?.end(`${JSON.stringify({ command, env: whole, streams, steps })}\n`);
  let past = 0;
  said?.on('data', (chunk: Buffer) => {
    for (const _ of chunk.toString().matchAll(/^step$/gm)) steps[past++]?.done?.();
  });
  const { stdout, stderr, code } = await running.done;
  if (code !== 0) throw new Error(`The terminal failed:\n${stderr}`);
  const result = JSON.parse(stdout) as OnTerminal;
  if (result.left > 0) throw new Error(`${result.left} steps never came:\n${result.tty}`);
  return result;
}

// biome-ignore lint/complexity/useRegexLiterals: a literal with an escape character is refused as well
const SEQUENCES = new RegExp('\\u001b\\[[?0-9;]*[a-zA-Z]', 'g');

/** What stays on the screen, line by line: of a line that was redrawn only its last text, without colours. */
export function screen(tty: string): string[] {
  return tty
    .split('\n')
    .map((line) => line.replace(/\r+$/, ''))
    .map((line) =>
      line.slice(Math.max(line.lastIndexOf(`${ESCAPE}[1G`), line.lastIndexOf('\r'), 0)),
    )
    .map((line) => line.replace(SEQUENCES, '').replace(/^\r/, ''));
}

/** Whether the cursor is shown at the end. */
export function cursorShown(tty: string): boolean {
  return tty.lastIndexOf(`${ESCAPE}[?25h`) >= tty.lastIndexOf(`${ESCAPE}[?25l`);
}
