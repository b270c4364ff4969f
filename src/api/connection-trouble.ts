import { isOutOfMemory, MEMORY_HINT } from '../runtime/engine.ts';
import type { Circumstances } from './transport-errors.ts';

/** `remedy` is undefined if the next attempt may succeed. */
type Trouble = Pick<Circumstances, 'remedy'> & { readonly what: string };

const AUTHORITY =
  "The certificate's issuer is not known here, as with a proxy that opens TLS: name a file with the issuer's certificate in NODE_EXTRA_CA_CERTS, or set NODE_USE_SYSTEM_CA=1 (Node 22.19, 24.6 or later) to trust those of this system.";
const CLOCK = "Check this machine's clock: it decides whether a certificate holds. If it is right, ask the service.";
const NAME = 'Check the base URL: another host answers there.';
const RESOLVED = 'Check the host in the base URL, and in the proxy variables.';
const PROXY_USER =
  'Give them in the variable: http://USER:PASSWORD@HOST:PORT, special characters as %XX (@ is %40, : is %3A).';

/** By the codes of Node and OpenSSL. */
const REMEDIES: Readonly<Record<string, string>> = {
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT: AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: AUTHORITY,
  SELF_SIGNED_CERT_IN_CHAIN: AUTHORITY,
  DEPTH_ZERO_SELF_SIGNED_CERT: AUTHORITY,
  CERT_UNTRUSTED: AUTHORITY,
  CERT_HAS_EXPIRED: CLOCK,
  CERT_NOT_YET_VALID: CLOCK,
  ERR_TLS_CERT_ALTNAME_INVALID: NAME,
  ENOTFOUND: RESOLVED,
};

/** @param error what undici gave; connecting to a name with several addresses fails with one error for each */
export function troubleOf(error: unknown): Trouble {
  const first = error instanceof AggregateError ? (error.errors[0] ?? error) : error;
  const { code = '', message, reason, cause } = first as ErrorLike;
  if (isOutOfMemory(first)) return { what: 'there is not enough memory', remedy: MEMORY_HINT };
  if (REMEDIES[code] !== undefined) return { what: message || code, remedy: REMEDIES[code] };
  // Behind a proxy Node names a certificate's fault in the cause.
  const within = cause instanceof Error ? troubleOf(cause) : undefined;
  if (within?.remedy !== undefined) return within;
  if (/Proxy response \(407\)/.test(message ?? '')) {
    return { what: 'the proxy asks for a user name and a password (407)', remedy: PROXY_USER };
  }
  // OpenSSL's message is a line of its internals.
  if (code.startsWith('ERR_SSL_') && reason) return { what: `TLS failed: ${reason}` };
  return { what: message || code || 'unknown network error' };
}

interface ErrorLike {
  readonly code?: string;
  readonly message?: string;
  readonly reason?: string;
  readonly cause?: unknown;
}
