import { NotSent } from './transport-errors.ts';

type Env = Readonly<Record<string, string | undefined>>;

export interface ProxyAddress {
  readonly url: string;
  /** Of the environment variable that names it, for messages. */
  readonly variable: string;
}

/** As in curl, small letters first. */
const VARIABLES = ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'];

const SCHEMES = ['http:', 'https:', 'socks5:', 'socks:'];

/**
 * The proxy for https that the environment names. As in curl, `proxy.example:3128` means `http://proxy.example:3128`.
 * @returns undefined where it names none
 * @throws NotSent where it is no usable URL; the text never shows it, as it may hold a password
 */
export function findProxy(env: Env): ProxyAddress | undefined {
  const variable = VARIABLES.find((name) => env[name]);
  const address = variable === undefined ? '' : (env[variable] ?? '').trim();
  if (variable === undefined || address === '') return undefined;
  const text = address.includes('://') ? address : `http://${address}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || url.host === '') {
    throw new NotSent(`The proxy address in ${variable} is not a usable URL.`);
  }
  if (!SCHEMES.includes(url.protocol)) {
    throw new NotSent(`The proxy address in ${variable} begins with ${url.protocol}//, not with http:// or socks5://.`);
  }
  return { url: url.href, variable };
}
