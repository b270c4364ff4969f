import type { ScreenerError } from '../errors.ts';
import type { Context } from '../runtime/context.ts';
import { jsonText } from '../runtime/json-text.ts';
import { FORMATS, type Format } from './formats.ts';
import { escapeJson } from './safe-text.ts';
import { linesFor, stylesOf, usesColor } from './terminal.ts';

/**
 * The text of an error: for people a sentence and a hint, in the other formats one line of JSON.
 * @param color false for `--no-color`
 */
export function renderError(
  context: Pick<Context, 'stderr' | 'env' | 'secrets' | 'programWords'>,
  error: ScreenerError,
  format: Format,
  color: boolean | undefined,
): string {
  if (!FORMATS[format].isForPeople) return context.secrets.hide(jsonLine(error));
  // The first line of a hint is a sentence. The further lines are commands.
  const [hint, ...commands] = error.hint?.split('\n') ?? [];
  const messageLines = linesFor(context, `${LABEL} ${error.message}`);
  const hintLines = hint === undefined ? [] : linesFor(context, `hint: ${hint}`, { commands });
  const text = [...messageLines, ...hintLines].join('\n');
  const { bad } = stylesOf(usesColor(context.stderr.isTTY, context.env, color));
  // The label is coloured last, so that the colour codes do not count as columns when lines are broken.
  return `${bad(LABEL)}${text.slice(LABEL.length)}\n`;
}

const LABEL = 'error:';

/** `retry_after` is seconds, `retry_at` ISO 8601 UTC; keys without a value are left out. */
function jsonLine({
  code,
  exitCode,
  status,
  message,
  hint,
  retryAfter,
  retryAt,
}: ScreenerError): string {
  const body = {
    code,
    exit_code: exitCode,
    status,
    message,
    hint,
    retry_after: retryAfter,
    retry_at: retryAt === undefined ? undefined : new Date(retryAt).toISOString(),
  };
  return `${escapeJson(jsonText({ error: body }))}\n`;
}
