/** What a stream can show, decided by pure functions of the environment. */
import type { Styles } from './types.ts';

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Whether a stream gets colour. `--no-color` is the strongest word, then `NO_COLOR` (anything but empty), then
 * `FORCE_COLOR` (`0` and `false` mean none), then `TERM=dumb`, then whether it is a terminal.
 * @param flag false for `--no-color`; true and undefined leave it to the rest
 */
export function usesColor(isTTY: boolean, env: Env, flag?: boolean): boolean {
  if (flag === false || given(env.NO_COLOR)) return false;
  if (given(env.FORCE_COLOR)) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false';
  return isTTY && env.TERM !== 'dumb';
}

const same = (text: string): string => text;

/** No colour. */
export const plainStyles: Styles = { good: same, bad: same, warn: same, dim: same, bold: same };

/** The styles for a stream, by the rules of `usesColor`. chalk is loaded only where there is colour. */
export async function stylesFor(isTTY: boolean, env: Env, flag: boolean | undefined): Promise<Styles> {
  return usesColor(isTTY, env, flag) ? (await import('./table/styles.ts')).colourStyles : plainStyles;
}

/** Whether block characters can be shown: not on a dumb terminal, nor where a locale is set that is not UTF-8. */
export function usesUnicode(env: Env): boolean {
  if (env.TERM === 'dumb') return false;
  const locale = [env.LC_ALL, env.LC_CTYPE, env.LANG].find(given);
  return locale === undefined || /utf-?8/i.test(locale);
}

/** Our own signs where only ASCII can be shown; each is as wide as before. */
export function asciiSigns(text: string): string {
  return text.replaceAll('–', '-').replaceAll('…', '~');
}

/** Columns of a terminal. COLUMNS, where the user set it, wins over what the terminal says. */
export function terminalWidth(env: Env, columns: number | undefined): number {
  const asked = Number(env.COLUMNS);
  if (Number.isInteger(asked) && asked > 0) return asked;
  return columns !== undefined && columns > 0 ? columns : 80;
}

function given(value: string | undefined): boolean {
  return value !== undefined && value !== '';
}
