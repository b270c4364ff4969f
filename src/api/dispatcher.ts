import type { Dispatcher } from 'undici';
// The one module that is needed, not the whole package: that is 25 ms less at every start.
import Pool from 'undici/lib/dispatcher/pool.js';
import { NotSent } from './transport-errors.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** More requests at a time than any command sends. */
const CONNECTIONS = 8;

/** A user may have set NODE_TLS_REJECT_UNAUTHORIZED=0 for another program: it must not expose the key. */
const TLS = { rejectUnauthorized: true };

/** The transport has one time limit for the whole exchange; undici's own, which run between chunks, are off. */
const LIMITS = { headersTimeout: 0, bodyTimeout: 0, connections: CONNECTIONS, connect: TLS };

/**
 * undici's connections to `base`: direct, or through the proxy that the environment names.
 * @throws NotSent where the proxy's address is no URL
 */
export async function openDispatcher(base: URL, env: Env): Promise<Dispatcher> {
  const httpsProxy = env.https_proxy || env.HTTPS_PROXY || env.all_proxy || env.ALL_PROXY;
  const isLocal = base.protocol === 'http:';
  // Plain http is allowed for loopback hosts only. A proxy could not reach them, and would read the key.
  if (httpsProxy && !isLocal) return openProxied(httpsProxy, env.no_proxy ?? env.NO_PROXY ?? '');
  return new Pool(base.origin, LIMITS);
}

async function openProxied(httpsProxy: string, noProxy: string): Promise<Dispatcher> {
  const [{ default: EnvHttpProxyAgent }, { default: connect }] = await Promise.all([
    import('undici/lib/dispatcher/env-http-proxy-agent.js'),
    import('undici/lib/api/api-connect.js'),
  ]);
  // undici's main module gives every dispatcher its `connect`, which the agent needs to open a tunnel; its inner
  // modules alone do not.
  const clientFactory = (origin: URL, options: object) => Object.assign(new Pool(origin, options), { connect });
  try {
    return new EnvHttpProxyAgent({
      ...LIMITS,
      requestTls: TLS,
      proxyTls: TLS,
      clientFactory,
      httpsProxy,
      // Empty, lest the agent looks for one in the process's own environment.
      httpProxy: '',
      noProxy,
    });
  } catch (cause) {
    throw new NotSent('The proxy address in HTTPS_PROXY is not a usable URL.', cause);
  }
}
