import { badAnswer } from './bad-answer.ts';
import { BODY_CAP, type RawAnswer } from './transport.ts';

/**
 * The body without its content encoding. The client asks for none, but a proxy on the way may compress all the same;
 * zlib is loaded only then.
 * @throws ScreenerError bad_answer where it cannot be decoded, or grows beyond the cap
 */
export async function inflate(answer: RawAnswer): Promise<Uint8Array> {
  const encoding = answer.headers.get('content-encoding')?.trim().toLowerCase() ?? 'identity';
  if (encoding === 'identity' || encoding === '') return answer.body;
  const zlib = await import('node:zlib');
  const limit = { maxOutputLength: BODY_CAP };
  try {
    if (encoding === 'gzip' || encoding === 'x-gzip') return zlib.gunzipSync(answer.body, limit);
    if (encoding === 'deflate') return zlib.inflateSync(answer.body, limit);
    if (encoding === 'br') return zlib.brotliDecompressSync(answer.body, limit);
  } catch (cause) {
    throw badAnswer(`its ${encoding} encoding is broken or too large`, { cause });
  }
  throw badAnswer('it has a content encoding nobody asked for');
}
