import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../support/arbitrary.ts';
import { detail, snapshot } from '../support/samples.ts';
import { broken, envelope, run } from './program.ts';
import { HEAVY, report, sayAtTheEnd } from './report.ts';
import { type Reply, reply, WireServer } from './wire.ts';

sayAtTheEnd('below HTTP');

let wire: WireServer;
beforeAll(async () => {
  wire = await WireServer.start();
});
afterAll(() => wire.close());

const SNAPSHOT = JSON.stringify(envelope(snapshot() as Json));
const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';
const latin1 = (text: string) => Buffer.from(text, 'latin1');

/** One case: what the server sends, the exit codes it may lead to, and how long a request may take (ms). */
interface Case {
  readonly reply: Reply;
  readonly codes: readonly number[];
  readonly timeout?: number;
}

async function hold(
  name: string,
  { reply: answer, codes, timeout = 5000 }: Case,
  whole: string,
  argv: readonly string[],
) {
  wire.answer = () => answer;
  wire.asked.length = 0;
  const outcome = await run(wire, argv, { timeout });
  const wrong = broken(outcome, 'json', codes);
  if (wrong !== undefined) throw new Error(`${name}: ${wrong}\n${outcome.stderr.slice(0, 800)}`);
  if (outcome.code === 0) expect(JSON.parse(outcome.stdout), name).toEqual(JSON.parse(whole).response);
  else expect(outcome.stdout, name).toBe('');
  // A lost answer is asked for once more.
  expect(wire.asked.length, name).toBeLessThanOrEqual(2);
}

/** Runs every case, and says which. */
async function holdAll(
  what: string,
  cases: ReadonlyMap<string, Case>,
  whole = SNAPSHOT,
  argv = ['snapshot'],
): Promise<void> {
  for (const [name, one] of cases) await hold(name, one, whole, argv);
  report(what, cases.size);
}

describe('answers cut off', () => {
  const whole = HEAVY ? JSON.stringify(envelope(detail(3) as Json)) : SNAPSHOT;
  const bytes = Buffer.from(whole);
  const framings: Record<string, (cut: number) => Case> = {
    'with its length': (cut) => ({
      reply: reply(bytes.subarray(0, cut), { headers: { 'Content-Length': String(bytes.length) }, end: 'close' }),
      codes: cut === bytes.length ? [0] : [8],
    }),
    'reset, with its length': (cut) => ({
      reply: reply(bytes.subarray(0, cut), { headers: { 'Content-Length': String(bytes.length) }, end: 'reset' }),
      // A reset may overtake what was sent before it.
      codes: cut === bytes.length ? [0, 8] : [8],
    }),
    'until the connection ends': (cut) => ({
      reply: reply(bytes.subarray(0, cut), {
        headers: { 'Content-Length': undefined, Connection: 'close' },
        end: 'close',
      }),
      codes: cut === bytes.length ? [0] : [9],
    }),
    'in chunks': (cut) => ({
      reply: {
        parts: [
          latin1(`${HEAD}Transfer-Encoding: chunked\r\n\r\n${bytes.length.toString(16)}\r\n`),
          bytes.subarray(0, cut),
          ...(cut === bytes.length ? [latin1('\r\n0\r\n\r\n')] : []),
        ],
        end: 'close',
      },
      codes: cut === bytes.length ? [0] : [8],
    }),
    'complete by its length': (cut) => ({
      reply: reply(bytes.subarray(0, cut)),
      codes: cut === bytes.length ? [0] : [9],
    }),
  };
  for (const [framing, at] of Object.entries(framings)) {
    it(`${framing}, at every byte`, async () => {
      // Each framing cuts elsewhere by default; all together at every second byte of the answer.
      const step = HEAVY ? 1 : 2 * Object.keys(framings).length;
      const first = HEAVY ? 0 : Object.keys(framings).indexOf(framing);
      const cases = new Map<string, Case>();
      for (let cut = first; cut <= bytes.length; cut += step) cases.set(`${framing}, ${cut} bytes`, at(cut));
      cases.set(`${framing}, whole`, at(bytes.length));
      await holdAll(`answers cut off ${framing}`, cases, whole, HEAVY ? ['signals', 'show', '7'] : ['snapshot']);
    });
  }

  it('at every byte of the head', async () => {
    const full = Buffer.concat(reply(SNAPSHOT).parts as Uint8Array[]);
    const head = full.indexOf('\r\n\r\n') + 4;
    const cases = new Map<string, Case>();
    for (let cut = 0; cut <= head; cut += HEAVY ? 1 : 3) {
      cases.set(`head of ${cut} bytes`, { reply: { parts: [full.subarray(0, cut)], end: 'close' }, codes: [8] });
    }
    await holdAll('heads cut off', cases);
  });
});

describe('heads that lie', () => {
  it('about length, encoding, status and version', async () => {
    const length = Buffer.byteLength(SNAPSHOT);
    type Body = string | Uint8Array;
    /** An answer with these headers besides the usual ones. */
    const sent = (
      headers: Record<string, string>,
      code: number | number[],
      body: Body = SNAPSHOT,
      end: Reply['end'] = 'open',
    ): Case => ({ reply: reply(body, { headers, end }), codes: [code].flat() });
    const holding = (body: Body, code: number): Case => sent({}, code, body);
    const sized = (size: string, code: number, end?: Reply['end']): Case =>
      sent({ 'Content-Length': size }, code, SNAPSHOT, end);
    const coded = (encoding: string, body: Body, code: number | number[]): Case =>
      sent({ 'Content-Encoding': encoding }, code, body);
    /** The bytes of a head, before the usual body. */
    const raw = (head: string, code: number | number[], body: Body = SNAPSHOT): Case => ({
      reply: { parts: [latin1(head), Buffer.from(body)], end: 'close' },
      codes: [code].flat(),
    });
    const whole = `Content-Length: ${length}\r\n\r\n`;
    const begun = (line: string, code: number | number[]): Case => raw(`${line}\r\n${whole}`, code);
    const only = (bytes: string, code: number): Case => raw(bytes, code, '');
    /** Nothing more comes, and the connection stays. */
    const open = (parts: Uint8Array[], timeout = 150, gap = 0): Case => ({
      reply: { parts, gap, end: 'open' },
      codes: [8],
      timeout,
    });
    const bomb = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
    const cases = new Map<string, Case>([
      // Lengths.
      ['too short', sized('40', 9)],
      ['one byte short', sized(`${length - 1}`, 9)],
      ['no byte', sized('0', 9)],
      ['too long', sized('9999', 8, 'close')],
      ['too long, and waiting', { ...sized('9999', 8), timeout: 150 }],
      ['beyond 2^64', sized('9'.repeat(40), 8, 'close')],
      ['negative', sized('-1', 8, 'close')],
      ['no number', sized('0x10', 8, 'close')],
      ['two lengths', raw(`${HEAD}Content-Length: ${length}\r\nContent-Length: 5\r\n\r\n`, [8, 9])],
      ['length and chunks', raw(`${HEAD}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n`, [8, 9])],
      ['a huge chunk', raw(`${HEAD}Transfer-Encoding: chunked\r\n\r\nfffffffffffffff\r\n`, 8)],
      ['a chunk without size', raw(`${HEAD}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, 8)],
      // Encodings nobody asked for.
      ['gzip', coded('gzip', gzipSync(SNAPSHOT), 0)],
      ['x-gzip', coded('X-GZIP', gzipSync(SNAPSHOT), 0)],
      ['br', coded('br', brotliCompressSync(SNAPSHOT), 0)],
      ['deflate', coded('deflate', deflateSync(SNAPSHOT), 0)],
      ['raw deflate', coded('deflate', deflateRawSync(SNAPSHOT), [0, 9])],
      ['gzip in name only', coded('gzip', SNAPSHOT, 9)],
      ['half a gzip', coded('gzip', gzipSync(SNAPSHOT).subarray(0, 90), 9)],
      ['gzip without a word', holding(gzipSync(SNAPSHOT), 9)],
      ['twice gzip', coded('gzip, gzip', gzipSync(gzipSync(SNAPSHOT)), 9)],
      ['a bomb', coded('gzip', gzipSync(Buffer.alloc(20_000_000, ' ')), 9)],
      ['a brotli bomb', coded('br', brotliCompressSync(Buffer.alloc(20_000_000, '0'), bomb), 9)],
      ['an unknown encoding', coded('rot13', SNAPSHOT, 9)],
      ['identity', coded('identity', SNAPSHOT, 0)],
      // Characters.
      ['a byte order mark', holding(`\ufeff${SNAPSHOT}`, 0)],
      ['UTF-16', holding(Buffer.from(SNAPSHOT, 'utf16le'), 9)],
      ['UTF-16 with a mark', holding(Buffer.from(`\ufeff${SNAPSHOT}`, 'utf16le'), 9)],
      ['Latin-1', holding(latin1(SNAPSHOT.replace('kept', 'k\xe4pt')), 9)],
      ['half a character', holding(Buffer.concat([latin1(SNAPSHOT.slice(0, -1)), latin1('\xe5\xb8}')]), 9)],
      ['overlong UTF-8', holding(latin1(SNAPSHOT.replace('kept', '\xc0\xaf')), 9)],
      ['a surrogate in UTF-8', holding(latin1(SNAPSHOT.replace('kept', '\xed\xa0\x80')), 9)],
      ['a charset that is wrong', sent({ 'Content-Type': 'text/html; charset=ebcdic' }, 0)],
      ['NUL bytes behind', holding(`${SNAPSHOT}\0\0`, 9)],
      ['white space around', holding(`\r\n\t ${SNAPSHOT}\n\n`, 0)],
      ['two documents', holding(SNAPSHOT + SNAPSHOT, 9)],
      // Heads.
      ['a header of 100 KB', sent({ 'X-Flood': 'x'.repeat(100_000) }, 8, SNAPSHOT, 'close')],
      ['3,000 headers', raw(`${HEAD}${'X-Flood: 1\r\n'.repeat(3000)}${whole}`, [0, 8])],
      [
        'a head without end',
        open([latin1(HEAD), ...Array.from({ length: 40 }, (_, n) => latin1(`X-${n}: y\r\n`))], 250, 20),
      ],
      ['escape sequences in headers', sent({ 'X-A': '\x1b[2J\x07', 'Retry-After': '\x1b]0;x' }, [0, 8])],
      ['a folded header', raw(`${HEAD}X-A: 1\r\n  more\r\n${whole}`, [0, 8])],
      ['a header without a name', raw(`${HEAD}: x\r\n${whole}`, [0, 8])],
      ['line feeds alone', raw(`HTTP/1.1 200 OK\nContent-Length: ${length}\n\n`, [0, 8])],
      // Status lines.
      ['no reason', begun('HTTP/1.1 200', 0)],
      ['a hostile reason', begun('HTTP/1.1 200 \x1b[31mOK', [0, 8])],
      ['HTTP/1.0', begun('HTTP/1.0 200 OK', 0)],
      ['HTTP/9.9', begun('HTTP/9.9 200 OK', [0, 8])],
      ['HTTP/2', begun('HTTP/2 200', [0, 8])],
      ['ICY', begun('ICY 200 OK', [0, 8])],
      ['status 0', begun('HTTP/1.1 000 No', [8, 9])],
      ['status 99', begun('HTTP/1.1 99 No', [8, 9])],
      ['status 2000', begun('HTTP/1.1 2000 OK', [8, 9])],
      ['status 999', begun('HTTP/1.1 999 No', [8, 9])],
      ['a status that is no number', begun('HTTP/1.1 OK', 8)],
      ['no HTTP at all', only('SSH-2.0-OpenSSH_9.9\r\n', 8)],
      ['a TLS alert', only('\x15\x03\x01\x00\x02\x02\x46', 8)],
      ['noise', raw('', 8, Buffer.from(Array.from({ length: 5000 }, (_, n) => (n * 7919) % 256)))],
      ['nothing', only('', 8)],
      ['a reset', { reply: { parts: [], end: 'reset' }, codes: [8] }],
      ['silence', open([])],
      // Before, between and behind the answer.
      ['100 Continue first', raw(`HTTP/1.1 100 Continue\r\n\r\n${HEAD}${whole}`, [0, 8])],
      ['103 Early Hints first', raw(`HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n${HEAD}${whole}`, 0)],
      ['102 twenty times', raw(`${'HTTP/1.1 102 Processing\r\n\r\n'.repeat(20)}${HEAD}${whole}`, 0)],
      ['102 alone', open([latin1('HTTP/1.1 102 Processing\r\n\r\n')])],
      [
        '101 Switching',
        raw('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n', [8, 9]),
      ],
      ['another answer behind', raw(HEAD + whole, [0, 8], `${SNAPSHOT}${HEAD}Content-Length: 2\r\n\r\n{}`)],
      ['noise behind', raw(HEAD + whole, [0, 8], `${SNAPSHOT}\0\0garbage\r\n\r\n`)],
      [
        'trailers',
        raw(
          `${HEAD}Transfer-Encoding: chunked\r\nTrailer: X-A\r\n\r\n${length.toString(16)}\r\n`,
          [0, 8],
          `${SNAPSHOT}\r\n0\r\nX-A: \x1b[2J\r\n\r\n`,
        ),
      ],
    ]);
    await holdAll('lying heads', cases);
  });

  it('every status from 200 to 599, with a body that fits none of them', async () => {
    const cases = new Map<string, Case>();
    const expected: Record<number, number> = { 401: 3, 403: 4, 404: 5, 422: 6, 429: 7 };
    for (let status = 200; status < 600; status += HEAVY ? 1 : 7) add(status);
    for (const status of [200, 204, 304, ...Object.keys(expected).map(Number), 500, 502, 503, 504]) add(status);
    function add(status: number): void {
      const code = status === 200 ? 0 : (expected[status] ?? (status >= 500 ? 8 : 9));
      const headers = { 'Retry-After': '7200', ...(status === 204 || status === 304 ? { 'Content-Length': '0' } : {}) };
      const body = status === 204 || status === 304 ? '' : SNAPSHOT;
      cases.set(`status ${status}`, {
        reply: reply(body, { status: `${status} \x1b[31mWell`, headers }),
        codes: [code],
      });
    }
    await holdAll('statuses', cases);
  });
});

describe('answers that take their time', () => {
  it('arrive byte by byte, or end at the limit', async () => {
    const pieces = (size: number, gap: number, timeout: number, codes: number[]): Case => {
      const full = Buffer.concat(reply(SNAPSHOT).parts as Uint8Array[]);
      const parts = Array.from({ length: Math.ceil(full.length / size) }, (_, n) =>
        full.subarray(n * size, (n + 1) * size),
      );
      return { reply: { parts, gap, end: 'open' }, codes, timeout };
    };
    const cases = new Map<string, Case>([
      ['a byte a moment', pieces(1, 0, 5000, [0])],
      ['ten bytes every 5 ms', pieces(10, 5, 5000, [0])],
      ['a byte every 100 ms', pieces(1, 100, 400, [8])],
      ['all but the last bytes in time', pieces(Math.ceil(SNAPSHOT.length / 2), 400, 500, [8])],
    ]);
    await holdAll('slow answers', cases);
  });
});
