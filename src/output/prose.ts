/** Sentences for people, broken to the width of a terminal. */
import type { Context } from '../runtime/context.ts';
import type { Sink } from '../runtime/streams.ts';
import { terminalWidth } from './terminal.ts';

/** A command at the end of a sentence; what stands in backticks; a word. */
const UNBROKEN = /(?<=: )screener .+$|(?:`[^`]*`|[^\s`]|`)+/g;

/**
 * A line of safe text as lines for a stream: on a terminal broken between words, elsewhere as it is. A command is never
 * broken: where it is too long the terminal wraps it, and copies it as the one line it is.
 */
export async function proseLines(whole: string, sink: Sink, env: Context['env']): Promise<string[]> {
  if (!sink.isTTY) return [whole];
  const width = terminalWidth(env, sink.columns);
  const { cap, measure } = await measuring(whole);
  const text = cap(whole);
  if (measure(text) <= width) return [text];
  const lines: string[] = [];
  for (const word of text.match(UNBROKEN) ?? []) {
    const line = lines.at(-1);
    if (line !== undefined && measure(`${line} ${word}`) <= width) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** Most sentences are short and plain: for them the code that measures others is not loaded. */
async function measuring(text: string) {
  if (/^[\x20-\x7e]{0,2000}$/.test(text))
    return { cap: (same: string) => same, measure: (same: string) => same.length };
  return import('./table/measure.ts');
}
