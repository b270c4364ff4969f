import { usageError } from '../errors.ts';

/** Part 1 of the API document: {base_url} ends with this path prefix, which also carries the version (part 9). */
export const PATH_PREFIX = '/api/external/v1';

/** Quotes stay around a value that cmd.exe's `set` or `echo` wrote. */
export function unquoted(text: string): string {
  return text.trim().replace(/^("|')(.*)\1$/s, '$2');
}

/** @returns scheme, host, path ending in the prefix, no trailing slash @throws ScreenerError usage */
export function normaliseBaseUrl(text: string): string {
  const url = parse(unquoted(text));
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw usageError(`The base URL must start with https://, not ${url.protocol}//.`, example());
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw usageError(
      'Plain http is refused: anybody on the way could read the key.',
      `Use https://${url.host}${url.pathname === '/' ? '' : url.pathname}`,
    );
  }
  if (url.username + url.password + url.search + url.hash !== '') {
    throw usageError('The base URL must hold no user name, password, query or fragment.', example());
  }
  const path = url.pathname.replace(/\/+$/, '');
  if (path === '') return `${url.origin}${PATH_PREFIX}`;
  if (!path.endsWith(PATH_PREFIX)) {
    throw usageError(`The base URL's path is ${path}, but the API lives under ${PATH_PREFIX}.`, example());
  }
  return `${url.origin}${path}`;
}

/** Without a scheme, which `new URL` would take `example.com:` for. The last label of a name has only letters. */
const BARE_HOST = /^([\w-]+\.)+([a-z]{2,24}|\d{1,3})(:\d+)?(\/.*)?$/i;

/** What is typed in the wrong place is neither printed nor looked up. */
const LIKE_A_KEY = /^[^\s/]{16,}$/;

function parse(text: string): URL {
  if (!text.includes('://') && !BARE_HOST.test(text) && LIKE_A_KEY.test(text))
    throw usageError('That looks like a key, not an address.', `Nothing was sent. ${example()}`);
  try {
    const url = new URL(BARE_HOST.test(text) ? `https://${text}` : text);
    if (url.host !== '') return url;
  } catch {}
  throw usageError(text === '' ? 'The base URL is empty.' : 'The base URL is not a URL.', example());
}

function example(): string {
  return `An address looks like https://HOST${PATH_PREFIX}; the path may be left out.`;
}

export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}
