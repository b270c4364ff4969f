import type { Context } from '../runtime/context.ts';
import type { Sink } from '../runtime/streams.ts';
import { safeText } from './safe-text.ts';
import { terminalWidth, usesUnicode } from './terminal.ts';

/**
 * A sentence, made safe, as lines for a stream: on a terminal broken between words, elsewhere as it is.
 * @param commands command lines that it offers: each alone on its line and never broken, so that it is copied as it is
 */
export async function linesFor(
  sentence: string,
  commands: readonly string[],
  sink: Sink,
  env: Context['env'],
): Promise<string[]> {
  const offered = commands.map((command) => `  ${safeText(command)}`);
  const whole = safeText(sentence);
  const text = usesUnicode(env) ? whole : whole.replaceAll('…', '...').replaceAll('–', '-');
  if (!sink.isTTY) return [text, ...offered];
  // Most sentences are written to a pipe or not at all: what measures them is loaded for a terminal.
  const [{ wrap }, { cap }] = await Promise.all([import('./wrap.ts'), import('./table/measure.ts')]);
  return [...wrap(cap(text), { width: terminalWidth(env, sink.columns) }), ...offered];
}
