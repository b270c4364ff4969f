/**
 * Bundles undici's HTTP/2 client for a Node without HTTP/2, a case it provides for. The client speaks HTTP/1.1 (undici's
 * default), but undici loads `node:http2` all the same, which costs every command 5 ms and more.
 */
export function withoutHttp2() {
  const absent = '\0absent:node:http2';
  return {
    name: 'without-http2',
    resolveId: (source) => (source === 'node:http2' ? absent : null),
    load: (id) => (id === absent ? "throw new Error('This build does not use HTTP/2.')" : null),
  };
}
