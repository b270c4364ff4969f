/** Where the base URL and the key come from, and what they may look like. */
import { createHash } from 'node:crypto';
import { ScreenerError, usageError } from '../errors.ts';
import type { Context } from '../runtime/context.ts';
import { type Credentials, readSettings, settingsPath } from './settings.ts';

/** The key of the environment; undefined if the variable is blank. */
export function environmentKey({ env }: Pick<Context, 'env'>): string | undefined {
  return env.SCREENER_API_KEY?.trim() || undefined;
}

/** The base URL of the environment; undefined if the variable is blank. */
export function environmentBaseUrl({ env }: Pick<Context, 'env'>): string | undefined {
  return env.SCREENER_BASE_URL?.trim() || undefined;
}

/**
 * The base URL comes from the flag, else from the environment, else from `login`. The key comes from the environment,
 * else from `login`; never from a flag, because `ps` would show it.
 * @throws ScreenerError not_logged_in, usage
 */
export function findCredentials(context: Context, flagBaseUrl: string | undefined): Credentials {
  const keyOfEnvironment = environmentKey(context);
  const chosenUrl = flagBaseUrl ?? environmentBaseUrl(context);
  // The saved settings may be broken, so they are read only if they are needed.
  const needsSettings = keyOfEnvironment === undefined || chosenUrl === undefined;
  const saved = needsSettings ? readSettings(context.directories.config) : undefined;
  const key = keyOfEnvironment ?? saved?.key;
  const baseUrl = chosenUrl ?? saved?.baseUrl;
  if (key === undefined || baseUrl === undefined) {
    const [what, variable] =
      key === undefined ? ['API key', 'SCREENER_API_KEY'] : ['base URL', 'SCREENER_BASE_URL'];
    const file = settingsPath(context.directories.config);
    throw new ScreenerError(
      'not_logged_in',
      `There is no ${what}: ${variable} is not set, and ${file} does not exist.`,
      {
        hint: 'Run `screener login`, or set SCREENER_API_KEY and SCREENER_BASE_URL (`--demo` needs neither).',
      },
    );
  }
  const normalUrl = normaliseBaseUrl(baseUrl);
  const isSavedKey = keyOfEnvironment === undefined;
  if (isSavedKey && saved !== undefined && normaliseBaseUrl(saved.baseUrl) !== normalUrl) {
    const remedy =
      flagBaseUrl === undefined
        ? 'Unset SCREENER_BASE_URL, run `screener login`,'
        : 'Run `screener login` with that base URL,';
    throw new ScreenerError(
      'not_logged_in',
      `The saved key is for ${saved.baseUrl}, not for ${normalUrl}.`,
      { hint: `Nothing was sent. ${remedy} or set SCREENER_API_KEY to a key for it.` },
    );
  }
  return { baseUrl: normalUrl, key: checkKey(key) };
}

/**
 * The saved login, if this run has another base URL, from the flag or the environment. Then it does not count.
 * @returns undefined also if the saved login cannot be read
 */
export function overriddenLogin(
  context: Context,
  flagBaseUrl: string | undefined,
): Credentials | undefined {
  const chosenUrl = flagBaseUrl ?? environmentBaseUrl(context);
  if (chosenUrl === undefined) return undefined;
  try {
    const saved = readSettings(context.directories.config);
    if (saved === undefined) return undefined;
    const baseUrl = normaliseBaseUrl(saved.baseUrl);
    return baseUrl === normaliseBaseUrl(chosenUrl) ? undefined : { baseUrl, key: saved.key };
  } catch {
    return undefined;
  }
}

/**
 * @returns the key without white space and quotes around it, fit for a header
 * @throws ScreenerError usage, without the key in its text
 */
export function checkKey(text: string): string {
  const key = unquoted(text);
  if (key === '')
    throw usageError('The API key is empty.', 'Paste the key as the service shows it.');
  if (!/^[\x21-\x7e]{1,4096}$/.test(key)) {
    throw usageError(
      'The API key contains characters that no key can have (spaces, line breaks or special characters).',
      'Paste the key alone, on one line.',
    );
  }
  return key;
}

/**
 * A hash that names an account without revealing base URL or key.
 * @param baseUrl as `normaliseBaseUrl` returns it
 */
export function accountId(baseUrl: string, key: string): string {
  const { origin, pathname } = new URL(baseUrl);
  const account = `${origin}${pathname.replace(/\/+$/, '')}\n${key}`;
  return createHash('sha256').update(account).digest('hex').slice(0, 24);
}

/** Part 1 of the API document: {base_url} ends with this path prefix, which also carries the version (part 9). */
export const PATH_PREFIX = '/api/external/v1';

const EXAMPLE = `An address looks like https://HOST${PATH_PREFIX}; the path may be left out.`;

/** The text without white space and quotes around it: `set` and `echo` of cmd.exe leave the quotes around a value. */
function unquoted(text: string): string {
  return text.trim().replace(/^("|')(.*)\1$/s, '$2');
}

/** @returns scheme, host, path ending in the prefix, no trailing slash @throws ScreenerError usage */
export function normaliseBaseUrl(text: string): string {
  const url = parse(unquoted(text));
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw usageError(`The base URL must start with https://, not ${url.protocol}//.`, EXAMPLE);
  }
  // The host of https://good.example@evil.example is evil.example. The error offers no corrected URL, because it would name a
  // host that the user may not mean.
  if (url.username + url.password + url.search + url.hash !== '') {
    throw usageError('The base URL must hold no user name, password, query or fragment.', EXAMPLE);
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw usageError(
      'Plain http is refused: anybody on the way could read the key.',
      `Use https://${url.host}${url.pathname === '/' ? '' : url.pathname}`,
    );
  }
  const path = url.pathname.replace(/\/+$/, '');
  if (path === '') return `${url.origin}${PATH_PREFIX}`;
  if (!path.endsWith(PATH_PREFIX)) {
    throw usageError(
      `The base URL's path is ${path}, but the API lives under ${PATH_PREFIX}.`,
      EXAMPLE,
    );
  }
  return `${url.origin}${path}`;
}

const HOST_PORT_PATH = /^(?<host>[a-z0-9.-]+)(?<port>:\d{1,5})?(\/.*)?$/s;

/** `1.2.3.4`, or a name that ends as hosts do: `.com`, `.xn--p1ai`. A longer last part, or one with digits, may be the end of a key. */
const HOST = /^\d{1,3}(\.\d{1,3}){3}$|\.([a-z]{2,13}|xn--[a-z0-9-]+)$/;

/**
 * Whether a text is a host without a scheme, perhaps with a port and a path: `example.com:8080/api`. (`new URL` would take
 * `example.com` for the scheme.) Other names, such as those with capitals, need https://: without it they may be a key.
 */
function isBareHost(text: string): boolean {
  const { host, port } = HOST_PORT_PATH.exec(text)?.groups ?? {};
  return host !== undefined && (port !== undefined || HOST.test(host));
}

/** A text that is as long as a key, and has no slash as an address has. */
const LIKE_A_KEY = /^[^\s/]{16,}$/;

/**
 * Parses a base URL. A key may be typed in its place: the key is then neither printed nor looked up as a host.
 * @throws ScreenerError usage
 */
function parse(text: string): URL {
  const isBare = isBareHost(text);
  const mayBeKey = !isBare && !text.includes('://') && LIKE_A_KEY.test(text);
  if (mayBeKey)
    throw usageError(
      'That looks like a key, or like an address without https://.',
      `Nothing was sent. ${EXAMPLE}`,
    );
  try {
    const url = new URL(isBare ? `https://${text}` : text);
    if (url.host !== '') return url;
  } catch {}
  throw usageError(text === '' ? 'The base URL is empty.' : 'The base URL is not a URL.', EXAMPLE);
}

/** Whether a host is this machine. @param hostname as `URL` spells it */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}
