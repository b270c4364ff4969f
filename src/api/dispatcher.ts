import type { Dispatcher } from 'undici';
import Pool from 'undici/lib/dispatcher/pool.js';
import { isLoopback } from '../config/credentials.ts';
import { muteNodeWarnings } from '../runtime/engine.ts';
import { NoAnswer } from './status-error.ts';

export type Env = Readonly<Record<string, string | undefined>>;

/** NODE_TLS_REJECT_UNAUTHORIZED=0, set for another program, must not expose the key. */
const TLS = { rejectUnauthorized: true };

/** undici's time limits run between chunks; the transport has one for the whole exchange. */
const LIMITS = {
  headersTimeout: 0,
  bodyTimeout: 0,
  connections: 1,
  pipelining: 0,
  connect: TLS,
  allowH2: false,
};

/** As in curl, small letters first. */
const VARIABLES = ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'];

export function proxyVariable({ hostname }: URL, env: Env): string | undefined {
  // Plain http is allowed for loopback hosts only. A proxy could not reach them, and would read the key.
  return isLoopback(hostname) ? undefined : VARIABLES.find((name) => env[name]);
}

/** Connects directly, or through the proxy that `variable` names. @throws NoAnswer if its address is unusable */
export async function openDispatcher(
  base: URL,
  variable: string | undefined,
  env: Env,
): Promise<Dispatcher> {
  if (variable !== undefined) return openProxied(variable, env);
  // The name means this machine, whatever a resolver says of it: the key is sent in clear there.
  return new Pool(base.origin.replace('http://localhost', 'http://127.0.0.1'), LIMITS);
}

/** A proxy without a scheme is one for http, as in curl. */
async function openProxied(variable: string, env: Env): Promise<Dispatcher> {
  const [{ default: EnvHttpProxyAgent }, { default: connect }] = await Promise.all([
    import('undici/lib/dispatcher/env-http-proxy-agent.js'),
    import('undici/lib/api/api-connect.js'),
  ]);
  muteNodeWarnings();
  try {
    const address = String(env[variable])
      .trim()
      .replace(/^socks5h:/, 'socks5:');
    const { href, username, password } = new URL(
      address.includes('://') ? address : `http://${address}`,
    );
    return new EnvHttpProxyAgent({
      ...LIMITS,
      httpsProxy: href,
      httpProxy: '',
      noProxy: env.no_proxy || env.NO_PROXY || '',
      requestTls: TLS,
      // undici would hand a SOCKS proxy the names with their %XX.
      ...{ username: decodeURIComponent(username), password: decodeURIComponent(password) },
      // The agent opens tunnels with `connect`, which only undici's main module adds.
      clientFactory: (origin: URL, options: object) =>
        Object.assign(new Pool(origin, options), { connect }),
    });
  } catch (cause) {
    // Its text never shows the address, which may hold a password.
    const remedy = `Correct ${variable}: http://HOST:PORT, for example.`;
    throw Object.assign(new NoAnswer(`the proxy address in ${variable} is not usable`, { cause }), {
      remedy,
    });
  }
}
