import type { ScreenerError } from '../errors.ts';
import type { Context } from '../runtime/context.ts';
import { proseLines } from './prose.ts';
import { escapeJson, safeText } from './safe-text.ts';
import { stylesFor } from './terminal.ts';
import type { Format } from './types.ts';

/**
 * An error as it goes to stderr, with a newline at its end: for people a sentence and a hint, in the other formats one
 * JSON line. `retry_after` is seconds, `retry_at` ISO 8601 UTC; keys without a value are left out.
 */
export function renderError(error: ScreenerError, format: Format): string {
  if (format === 'table') {
    const hint = error.hint === undefined ? '' : `${hintLines(error.hint)}\n`;
    return `error: ${safeText(error.message)}\n${hint}`;
  }
  const { code, exitCode, status, message, hint, retryAfter, retryAt } = error;
  const body = {
    code,
    exit_code: exitCode,
    status,
    message,
    hint,
    retry_after: retryAfter,
    retry_at: retryAt === undefined ? undefined : isoOrNothing(retryAt),
  };
  return `${escapeJson(JSON.stringify({ error: body }))}\n`;
}

/** A command line that a hint offers for copying stands on a line of its own; one that is all of the hint says so. */
function hintLines(hint: string): string {
  const text = hint.split('\n').map(safeText).join('\n');
  return hint.startsWith('Next: ') ? text : `hint: ${text}`;
}

/**
 * The same for this very stderr: sentences broken to the width of a terminal, `error:` in colour where there is colour.
 * @param color false for `--no-color`
 */
export async function renderErrorFor(
  { stderr, env, secrets }: Pick<Context, 'stderr' | 'env' | 'secrets'>,
  error: ScreenerError,
  format: Format,
  color: boolean | undefined,
): Promise<string> {
  const text = secrets.hide(renderError(error, format));
  if (format !== 'table') return text;
  const broken = await Promise.all(
    text
      .trimEnd()
      .split('\n')
      .map((line) => proseLines(line, stderr, env)),
  );
  const whole = `${broken.flat().join('\n')}\n`;
  const { bad } = await stylesFor(stderr.isTTY, env, color);
  return whole.replace(/^error:/, bad);
}

/** A Retry-After of many digits leads beyond the dates there are. */
function isoOrNothing(at: number): string | undefined {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
