/** No complete answer came (DNS, refused, TLS, timeout, reset). */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
  timedOut = false;
  /** The client says whether the request had left: then a credit may be spent. */
  hasLeft = false;
  /** What the user can do, where another attempt would fail likewise. */
  remedy: string | undefined;
}

const REMEDIES: readonly (readonly [RegExp, string])[] = [
  [
    /ISSUER|SELF_SIGNED|LEAF_SIGNATURE|CERT_UNTRUSTED/,
    "The certificate's issuer is not known here, as with a proxy that opens TLS: name a file with the issuer's certificate in NODE_EXTRA_CA_CERTS, or set NODE_USE_SYSTEM_CA=1 (Node 22.19, 24.6 or later) to trust those of this system.",
  ],
  [
    /CERT_(HAS_EXPIRED|NOT_YET_VALID)/,
    "Check this machine's clock: it decides whether a certificate holds. If it is right, ask the service.",
  ],
  [/CERT_ALTNAME_INVALID/, 'Check the base URL: another host answers there.'],
  [/^ENOTFOUND/, 'Check the host in the base URL, and in the proxy variables.'],
  [
    /Proxy response \(407\)/,
    'The proxy asks for a user name and a password: http://USER:PASSWORD@HOST:PORT, special characters as %XX (@ is %40, : is %3A).',
  ],
];

/**
 * @param error what undici gave; connecting to a name with several addresses fails with one error for each
 * @param hint is appended to its text
 */
export function noAnswerOf(error: unknown, hint: string): NoAnswer {
  const first = error instanceof AggregateError ? (error.errors[0] ?? error) : error;
  const { code = '', message, reason, cause } = first as Error & { code?: string; reason?: string };
  const remedy = REMEDIES.find(([pattern]) => pattern.test(`${code} ${message}`))?.[1];
  // Behind a proxy Node names a certificate's fault in the cause.
  if (remedy === undefined && cause instanceof Error) return noAnswerOf(cause, hint);
  // OpenSSL's message is a line of its internals.
  const what = code.startsWith('ERR_SSL_') && reason ? `TLS failed: ${reason}` : message;
  const text = `${what || code || 'unknown network error'}${hint}`;
  return Object.assign(new NoAnswer(text, { cause: error }), { remedy });
}
