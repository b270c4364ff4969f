/** How a request gets to its host: directly, or through the proxy that the environment names. */
import { BlockList, isIP, isIPv6 } from 'node:net';
import type { Dispatcher } from 'undici';
import Pool from 'undici/lib/dispatcher/pool.js';
import { isLoopback } from '../config/credentials.ts';
import type { Env } from '../runtime/directories.ts';
import { muteNodeWarnings } from '../runtime/engine.ts';
import { NoAnswer } from './no-answer.ts';

/** NODE_TLS_REJECT_UNAUTHORIZED=0, set for another program, must not expose the key. */
const TLS = { rejectUnauthorized: true };

/** undici's own time limits are off: they count from one chunk to the next. The transport limits the whole exchange. */
const POOL_OPTIONS = {
  headersTimeout: 0,
  bodyTimeout: 0,
  connections: 1,
  pipelining: 0,
  connect: TLS,
  allowH2: false,
};

/** The variables that may name a proxy, in curl's order: small letters first. */
const VARIABLES = ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'];

/** The variable that names a proxy for this base URL. NO_PROXY may still except the host: `openDispatcher` looks at NO_PROXY. */
export function proxyVariable({ hostname }: URL, env: Env): string | undefined {
  // Plain http is allowed for loopback hosts only. A proxy could not reach them, and would read the key.
  return isLoopback(hostname) ? undefined : VARIABLES.find((name) => env[name]);
}

/** The hosts that are reached without a proxy, as NO_PROXY lists them. */
export function noProxyOf(env: Env): string {
  return env.no_proxy || env.NO_PROXY || '';
}

/**
 * Opens the way to the host: directly, or through a proxy.
 * @param variable names the proxy; undefined if there is none
 * @throws NoAnswer if the variable holds no usable address
 */
export async function openDispatcher(
  base: URL,
  variable: string | undefined,
  env: Env,
): Promise<Dispatcher> {
  if (variable !== undefined && !isPastProxy(base, noProxyOf(env)))
    return openProxied(variable, env);
  // The key is sent in clear to localhost: the name must mean this machine, whatever a resolver says.
  return new Pool(base.origin.replace('http://localhost', 'http://127.0.0.1'), POOL_OPTIONS);
}

/**
 * Whether NO_PROXY names the host. Its entries are `*` for all hosts, a name (which stands for all names below it, too), an
 * address, or a network of addresses (`10.0.0.0/8`); names and addresses may have a port. As in curl, names are not looked up.
 */
export function isPastProxy({ hostname, port }: URL, noProxy: string): boolean {
  const host = plainHost(hostname);
  const entries = noProxy.split(/[,\s]+/).filter((entry) => entry !== '');
  return entries.some((entry) => {
    if (entry === '*' || isInNetwork(host, entry)) return true;
    const rule = readEntry(entry);
    if (rule.port !== undefined && rule.port !== (port || HTTPS_PORT)) return false;
    return host === rule.host || host.endsWith(`.${rule.host}`);
  });
}

/** Whether a host is an address of a network. @param host as a URL spells it @param entry `10.0.0.0/8`, `2001:db8::/32` */
function isInNetwork(host: string, entry: string): boolean {
  const [, network = '', bits] = /^(.+)\/(\d{1,3})$/.exec(entry) ?? [];
  const address = host.replace(/^\[(.*)\]$/, '$1');
  const version = isIP(address);
  const mostBits = version === 4 ? 32 : 128;
  if (version === 0 || isIP(network) !== version || Number(bits) > mostBits) return false;
  const family = version === 4 ? 'ipv4' : 'ipv6';
  const networks = new BlockList();
  networks.addSubnet(network, Number(bits), family);
  return networks.check(address, family);
}

const HTTPS_PORT = '443';

/** One entry of NO_PROXY. */
interface NoProxyEntry {
  readonly host: string;
  readonly port?: string | undefined;
}

/** Reads `example.test`, `.example.test:8443`, `2001:db8::1`, `[2001:db8::1]:8443`. */
function readEntry(entry: string): NoProxyEntry {
  if (isIPv6(entry)) return { host: plainHost(`[${entry}]`) };
  const [, name = entry, port] = /^(.+?)(?::(\d+))?$/.exec(entry) ?? [];
  return { host: plainHost(name.replace(/^\*?\./, '')), port };
}

/** The host as a URL spells it, so that spellings can be compared; without the dot that makes a name absolute. */
function plainHost(name: string): string {
  try {
    return new URL(`https://${name}`).hostname.replace(/\.$/, '');
  } catch {
    return name;
  }
}

/** Opens a proxy. As in curl, an address without a scheme means http. */
async function openProxied(variable: string, env: Env): Promise<Dispatcher> {
  const [{ default: ProxyAgent }, { default: connect }] = await Promise.all([
    import('undici/lib/dispatcher/proxy-agent.js'),
    import('undici/lib/api/api-connect.js'),
  ]);
  muteNodeWarnings();
  try {
    const address = String(env[variable])
      .trim()
      .replace(/^socks5h:/, 'socks5:');
    const url = new URL(address.includes('://') ? address : `http://${address}`);
    // Without these two, undici would send `p%40ss` to a SOCKS proxy in place of `p@ss`.
    const credentials = {
      username: decodeURIComponent(url.username),
      password: decodeURIComponent(url.password),
    };
    return new ProxyAgent({
      ...POOL_OPTIONS,
      ...credentials,
      uri: url.href,
      requestTls: TLS,
      // The agent opens tunnels with `connect`, which only undici's main module adds.
      clientFactory: (origin: URL, options: object) =>
        Object.assign(new Pool(origin, options), { connect }),
    });
  } catch (cause) {
    // The message does not show the address, which may hold a password.
    const remedy = `Correct ${variable}: http://HOST:PORT, for example.`;
    throw new NoAnswer(`the proxy address in ${variable} is not usable`, { cause, remedy });
  }
}
