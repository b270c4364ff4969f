import type { ScreenerError } from '../errors.ts';
import type { Context } from '../runtime/context.ts';
import { linesFor } from './lines-for.ts';
import { escapeJson } from './safe-text.ts';
import { stylesFor } from './terminal.ts';
import type { Format } from './types.ts';

/**
 * An error as it goes to this stderr, with a newline at its end: for people a sentence and a hint, with `error:` in
 * colour where there is colour; in the other formats one JSON line.
 * @param color false for `--no-color`
 */
export async function renderError(
  { stderr, env, secrets }: Pick<Context, 'stderr' | 'env' | 'secrets'>,
  error: ScreenerError,
  format: Format,
  color: boolean | undefined,
): Promise<string> {
  if (format !== 'table') return secrets.hide(jsonLine(error));
  const [hint, ...offered] = error.hint?.split('\n') ?? [];
  const lines = async (text: string, commands: readonly string[] = []) =>
    linesFor(
      secrets.hide(text),
      commands.map((command) => secrets.hide(command)),
      stderr,
      env,
    );
  const said = await lines(`error: ${error.message}`);
  const further = hint === undefined ? [] : await lines(`hint: ${hint}`, offered);
  const { bad } = await stylesFor(stderr.isTTY, env, color);
  return `${[...said, ...further].join('\n')}\n`.replace(/^error:/, bad);
}

/** `retry_after` is seconds, `retry_at` ISO 8601 UTC; keys without a value are left out. */
function jsonLine({ code, exitCode, status, message, hint, retryAfter, retryAt }: ScreenerError): string {
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

/** A Retry-After of many digits leads beyond the dates there are. */
function isoOrNothing(at: number): string | undefined {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
