/** A table on a terminal: as it is where the screen has room for it, else through the user's pager, as git and gh do. */
import type { Context } from '../runtime/context.ts';
import type { Notes } from '../runtime/notes.ts';
import { type Pager, startPager } from '../runtime/pager.ts';
import { measure } from './table/measure.ts';
import { terminalWidth } from './terminal.ts';
import type { Writer } from './types.ts';

/** Leaves at once where all fits, passes colours through, and leaves the text on the screen. */
const LESS_OPTIONS = 'FRX';

/** The words of SCREENER_PAGER, else of PAGER, else `less`; none where the user wants no pager. */
export function pagerWords(env: Context['env']): string[] {
  const command = env.SCREENER_PAGER ?? env.PAGER ?? 'less';
  const words = (command.match(/"[^"]*"|'[^']*'|[^\s"']+/g) ?? []).map((word) => word.replace(/^(["'])(.*)\1$/, '$2'));
  return words[0] === 'cat' ? [] : words;
}

/** Keeps the text back until it is longer than the screen, and then hands it to the pager. */
export class PagedWriter {
  readonly #context: Context;
  readonly #notes: Pick<Notes, 'aside'>;
  readonly #plain: Writer;
  #kept = '';
  #pager: Pager | undefined;
  /** Set where there is nothing to keep back for: no such pager. */
  #direct = false;

  /** @param plain writes to standard output */
  constructor(context: Context, notes: Pick<Notes, 'aside'>, plain: Writer) {
    this.#context = context;
    this.#notes = notes;
    this.#plain = plain;
  }

  readonly write: Writer = async (text) => {
    if (this.#pager !== undefined) return this.#pager.write(text);
    if (this.#direct) return this.#plain(text);
    this.#kept += text;
    if (this.#fits()) return;
    const pager = await this.#start();
    const kept = this.#kept;
    this.#kept = '';
    await (pager === undefined ? this.#plain(kept) : pager.write(kept));
  };

  /** Shows what was kept back, or waits until the user has left the pager. Also where the text ended by an error. */
  async close(): Promise<void> {
    const kept = this.#kept;
    this.#kept = '';
    if (this.#pager !== undefined) await this.#pager.close();
    else if (kept !== '') await this.#plain(kept);
  }

  /** One line of the screen is for the shell's prompt. */
  #fits(): boolean {
    const { stdout, env } = this.#context;
    const width = terminalWidth(env, stdout.columns);
    const lines = this.#kept.split('\n').slice(0, -1);
    const rows = lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(measure(line) / width)), 0);
    return rows < (stdout.rows ?? Number.POSITIVE_INFINITY);
  }

  async #start(): Promise<Pager | undefined> {
    const { env } = this.#context;
    const pager = await startPager(pagerWords(env), { ...env, LESS: env.LESS ?? LESS_OPTIONS });
    this.#pager = pager;
    this.#direct = pager === undefined;
    // The screen is the pager's: spinner and notes wait until the user has left it.
    if (pager !== undefined) void this.#notes.aside?.(() => pager.ended);
    return pager;
  }
}
