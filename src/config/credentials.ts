import { ScreenerError, usageError } from '../errors.ts';
import type { Context } from '../runtime/context.ts';
import { normaliseBaseUrl, unquoted } from './base-url.ts';
import { readSettings, type Settings } from './settings.ts';

/** Flag (never for the key: `ps` shows it), then environment, then `login`. @throws not_logged_in, usage */
export function findCredentials(context: Context, flagBaseUrl: string | undefined): Settings {
  const envKey = given(context.env.SCREENER_API_KEY);
  const chosenUrl = flagBaseUrl ?? given(context.env.SCREENER_BASE_URL);
  // Settings stay closed if nothing of them is needed: they may be broken.
  const saved = envKey !== undefined && chosenUrl !== undefined ? undefined : readSettings(context.directories.config);
  const key = envKey ?? saved?.key;
  const baseUrl = chosenUrl ?? saved?.baseUrl;
  if (key === undefined) {
    throw new ScreenerError('not_logged_in', 'There is no API key.', {
      hint: 'Run `screener login`, or set SCREENER_API_KEY (`--demo` needs neither).',
    });
  }
  if (baseUrl === undefined) {
    throw new ScreenerError('not_logged_in', 'There is no base URL.', {
      hint: 'Run `screener login`, or set SCREENER_BASE_URL to the address the service gave you.',
    });
  }
  const normal = normaliseBaseUrl(baseUrl);
  if (envKey === undefined && saved !== undefined && normaliseBaseUrl(saved.baseUrl) !== normal) {
    throw new ScreenerError('not_logged_in', `The saved key is for ${saved.baseUrl}, not for ${normal}.`, {
      hint: 'Nothing was sent. Run `screener login` with that base URL, or set SCREENER_API_KEY to a key for it.',
    });
  }
  return { baseUrl: normal, key: checkKey(key) };
}

/** The key as a header can hold it. @throws ScreenerError usage, without the key in its text */
export function checkKey(text: string): string {
  const key = unquoted(text);
  if (key === '') throw usageError('The API key is empty.', 'Paste the key as the service shows it.');
  if (!/^[\x21-\x7e]{1,4096}$/.test(key)) {
    throw usageError(
      'The API key contains characters that no key can have (spaces, line breaks or special characters).',
      'Paste the key alone, on one line.',
    );
  }
  return key;
}

function given(value: string | undefined): string | undefined {
  return value === undefined || value.trim() === '' ? undefined : value;
}
