import { isLoopback } from '../config/base-url.ts';
import { NotSent } from './transport-errors.ts';

export type Env = Readonly<Record<string, string | undefined>>;

export interface ProxyAddress {
  readonly url: string;
  readonly variable: string;
}

/** As in curl, small letters first. */
const VARIABLES = ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'];

const SCHEMES = ['http:', 'https:', 'socks5:', 'socks5h:', 'socks:'];

/**
 * Reads the environment as curl does: `proxy.example:3128` means `http://proxy.example:3128`.
 * @throws NotSent; its text never shows the address, which may hold a password
 */
export function findProxy(base: URL, env: Env): ProxyAddress | undefined {
  if (isExempt(base, env.no_proxy || env.NO_PROXY || '')) return undefined;
  const variable = VARIABLES.find((name) => env[name]);
  const address = variable === undefined ? '' : (env[variable] ?? '').trim();
  if (variable === undefined || address === '') return undefined;
  const text = address.includes('://') ? address : `http://${address}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || url.host === '') {
    throw new NotSent(`The proxy address in ${variable} is not a usable URL.`, correct(variable));
  }
  if (!SCHEMES.includes(url.protocol)) {
    const message = `The proxy address in ${variable} begins with ${url.protocol}//, not with http:// or socks5://.`;
    throw new NotSent(message, correct(variable));
  }
  return { url: url.href.replace(/^socks5h:/, 'socks5:'), variable };
}

export const correct = (variable: string) => ({ remedy: `Correct ${variable}: http://HOST:PORT, for example.` });

/** @param list hosts, each with what is below it and perhaps with a port; `*` is all */
function isExempt({ hostname, port }: URL, list: string): boolean {
  if (isLoopback(hostname)) return true;
  const names = [hostname, hostname.replace(/^\[|\]$/g, ''), `${hostname}:${port || 443}`];
  const hosts = list.toLowerCase().match(/[^\s,]+/g) ?? [];
  return hosts
    .map((host) => host.replace(/^\*?\./, ''))
    .some((host) => host === '*' || names.some((name) => name === host || name.endsWith(`.${host}`)));
}
