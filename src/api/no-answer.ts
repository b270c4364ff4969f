/** Failures of the network: an unknown host, a refused connection, TLS, a timeout, a reset. */

interface NoAnswerDetails {
  readonly cause?: unknown;
  readonly remedy?: string | undefined;
  readonly isTimeout?: boolean;
}

/** No answer came, or only a part of one. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
  /** What the user can do. Undefined if trying again may be enough. */
  readonly remedy: string | undefined;
  readonly isTimeout: boolean;
  /** Whether the request was sent, so that a credit may be spent. The client sets it. */
  wasSent = false;

  /** @param message part of a sentence, without a full stop: `connect ECONNREFUSED 127.0.0.1:80` */
  constructor(message: string, { cause, remedy, isTimeout = false }: NoAnswerDetails = {}) {
    super(message, { cause });
    this.remedy = remedy;
    this.isTimeout = isTimeout;
  }
}

/** What the user can do about a kind of network error. */
interface Remedy {
  /** Tested against the error's code and its message, with a blank between them. */
  readonly pattern: RegExp;
  readonly sentence: string;
}

const REMEDIES: readonly Remedy[] = [
  {
    pattern: /ISSUER|SELF_SIGNED|LEAF_SIGNATURE|CERT_UNTRUSTED/,
    sentence:
      "The certificate's issuer is not known here, as with a proxy that opens TLS. Name a file with the issuer's certificate in NODE_EXTRA_CA_CERTS, or set NODE_USE_SYSTEM_CA=1 (Node 22.19, 24.6 or later) to trust those of this system.",
  },
  {
    pattern: /CERT_(HAS_EXPIRED|NOT_YET_VALID)/,
    sentence: "Check this machine's clock. If it is right, ask the service.",
  },
  {
    pattern: /CERT_ALTNAME_INVALID/,
    sentence: 'Check the base URL: another host answers there.',
  },
  {
    pattern: /WRONG_VERSION_NUMBER/,
    sentence:
      'That port speaks no TLS: check host and port in the base URL. Without a scheme, https:// was assumed.',
  },
  {
    pattern: /^ENOTFOUND/,
    sentence: 'Check the host in the base URL. If this network has a proxy, set HTTPS_PROXY to it.',
  },
  {
    pattern: /Proxy response \(407\)/,
    sentence:
      'The proxy asks for a user name and a password: http://USER:PASSWORD@HOST:PORT, special characters as %XX (@ is %40, : is %3A).',
  },
];

/** What undici says if a proxy answers a CONNECT with another status than 200. */
const PROXY_STATUS = /^Proxy response \((\d+)\)/;

/** The fields of an error of Node or OpenSSL. */
interface NetworkError extends Error {
  readonly code?: string;
  readonly reason?: string;
}

/**
 * The `NoAnswer` for an error of undici, with a text and a remedy for people.
 * @param error For a name with several addresses it holds an error for each address.
 * @param proxyRemark added to the error's text: ` (HTTPS_PROXY is set)`; empty if no proxy is set
 */
export function noAnswerOf(error: unknown, proxyRemark: string): NoAnswer {
  const first = error instanceof AggregateError ? (error.errors[0] ?? error) : error;
  const { code = '', message, reason, cause } = first as NetworkError;
  const remedy = REMEDIES.find(({ pattern }) => pattern.test(`${code} ${message}`))?.sentence;
  // In place of an error without a remedy its cause is described: behind a proxy, the cause names the fault of a certificate.
  if (remedy === undefined && cause instanceof Error) return noAnswerOf(cause, proxyRemark);
  const statusOfProxy = PROXY_STATUS.exec(message)?.[1];
  // OpenSSL's `message` is about lines of its own source text; its `reason` is for people.
  const isTls = code.startsWith('ERR_SSL_') && Boolean(reason);
  const description = isTls ? `TLS failed: ${reason}` : message;
  const ownText = description || code || 'unknown network error';
  const text =
    statusOfProxy === undefined ? ownText : `the proxy did not connect (status ${statusOfProxy})`;
  return new NoAnswer(`${text}${proxyRemark}`, { cause: error, remedy });
}
