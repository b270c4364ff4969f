/** Sentences for people, broken to the width of a terminal. */
import type { Context } from '../runtime/context.ts';
import type { Sink } from '../runtime/streams.ts';
import { terminalWidth } from './terminal.ts';

/** A command line that a sentence ends in. `Next:` is short enough to stay beside it. */
const COMMAND = /(?:Next: |(?<=: ))screener .+$/;

/** What stands in backticks; a word. */
const UNBROKEN = /(?:`[^`]*`|[^\s`]|`)+/g;

/**
 * A text of safe sentences as lines for a stream: on a terminal broken between words, elsewhere as it is. On a terminal a
 * command that the text ends in stands alone on its line and is never broken: where it is too long the terminal wraps it,
 * and copies it as the one line it is.
 */
export async function proseLines(whole: string, sink: Sink, env: Context['env']): Promise<string[]> {
  if (!sink.isTTY) return [whole];
  const { cap, measure } = await measuring(whole);
  const [command = ''] = COMMAND.exec(whole) ?? [];
  const width = terminalWidth(env, sink.columns);
  const text = cap(whole.slice(0, whole.length - command.length).trimEnd());
  const lines: string[] = [];
  for (const word of measure(text) <= width ? [text] : (text.match(UNBROKEN) ?? [])) {
    const line = lines.at(-1);
    if (line !== undefined && measure(`${line} ${word}`) <= width) lines[lines.length - 1] = `${line} ${word}`;
    else if (word !== '') lines.push(word);
  }
  return command === '' ? lines : [...lines, command];
}

/** Sentences joined to one line, except that one which ends in a command has a line of its own. */
export function joinSentences(sentences: readonly string[]): string[] {
  const plain = sentences.filter((sentence) => !COMMAND.test(sentence)).join(' ');
  return [...(plain === '' ? [] : [plain]), ...sentences.filter((sentence) => COMMAND.test(sentence))];
}

/** Most sentences are short and plain: for them the code that measures others is not loaded. */
async function measuring(text: string) {
  if (/^[\x20-\x7e]{0,2000}$/.test(text))
    return { cap: (same: string) => same, measure: (same: string) => same.length };
  return import('./table/measure.ts');
}
