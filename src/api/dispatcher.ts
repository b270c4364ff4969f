import type { LookupFunction } from 'node:net';
import type { Dispatcher } from 'undici';
import Pool from 'undici/lib/dispatcher/pool.js';
import { muteNodeWarnings } from '../runtime/engine.ts';
import { correct, type Env, findProxy, type ProxyAddress } from './proxy.ts';
import { NotSent } from './transport-errors.ts';

/** NODE_TLS_REJECT_UNAUTHORIZED=0, set for another program, must not expose the key. */
const TLS = { rejectUnauthorized: true };

/** undici's time limits run between chunks; the transport has one for the whole exchange. */
const LIMITS = { headersTimeout: 0, bodyTimeout: 0, connections: 1, pipelining: 0, connect: TLS, allowH2: false };

export interface Wire {
  readonly dispatcher: Dispatcher;
  readonly proxyVariable?: string;
}

/** Connects directly, or through the proxy that the environment names. @throws NotSent if its address is unusable */
export async function openWire(base: URL, env: Env): Promise<Wire> {
  // Plain http is allowed for loopback hosts only. A proxy could not reach them, and would read the key.
  if (base.protocol === 'http:') return { dispatcher: new Pool(base.origin, { ...LIMITS, connect: THIS_MACHINE }) };
  const proxy = findProxy(base, env);
  if (proxy === undefined) return { dispatcher: new Pool(base.origin, LIMITS) };
  return { dispatcher: await openProxied(proxy), proxyVariable: proxy.variable };
}

const LOOPBACK = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

const lookUpLoopback: LookupFunction = (_name, { all }, done) => {
  if (all) done(null, LOOPBACK);
  else done(null, '127.0.0.1', 4);
};

/** The name localhost means this machine, whatever a resolver says of it: the key is sent in clear there. */
const THIS_MACHINE = { lookup: lookUpLoopback };

async function openProxied({ url, variable }: ProxyAddress): Promise<Dispatcher> {
  const [{ default: ProxyAgent }, { default: connect }] = await Promise.all([
    import('undici/lib/dispatcher/proxy-agent.js'),
    import('undici/lib/api/api-connect.js'),
  ]);
  // The agent opens tunnels with `connect`, which only undici's main module adds.
  const clientFactory = (origin: URL, options: object) => Object.assign(new Pool(origin, options), { connect });
  muteNodeWarnings();
  try {
    return new ProxyAgent({
      ...LIMITS,
      uri: url,
      requestTls: TLS,
      ...(url.startsWith('socks') ? userOf(url) : { proxyTls: TLS }),
      clientFactory,
    });
  } catch (cause) {
    throw new NotSent(`The proxy address in ${variable} is not a usable URL.`, { cause, ...correct(variable) });
  }
}

/** undici would hand a SOCKS proxy the name with its %XX, and speak TLS with `proxyTls`. */
function userOf(url: string) {
  const { username, password } = new URL(url);
  return { username: decodeURIComponent(username), password: decodeURIComponent(password) };
}
