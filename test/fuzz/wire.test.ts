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
    it(`${framing}, at every byte`, { timeout: 300_000 }, async () => {
      // Each framing cuts elsewhere by default; all together at every second byte of the answer.
      const step = HEAVY ? 1 : 2 * Object.keys(framings).length;
      const first = HEAVY ? 0 : Object.keys(framings).indexOf(framing);
      const cases = new Map<string, Case>();
      for (let cut = first; cut <= bytes.length; cut += step) cases.set(`${framing}, ${cut} bytes`, at(cut));
      cases.set(`${framing}, whole`, at(bytes.length));
      await holdAll(`answers cut off ${framing}`, cases, whole, HEAVY ? ['signals', 'show', '7'] : ['snapshot']);
    });
  }

  it('at every byte of the head', { timeout: 120_000 }, async () => {
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
  it('about length, encoding, status and version', { timeout: 120_000 }, async () => {
    const length = Buffer.byteLength(SNAPSHOT);
    const raw = (head: string, body: string | Uint8Array = SNAPSHOT, end: Reply['end'] = 'close'): Reply => ({
      parts: [latin1(head), Buffer.from(body)],
      end,
    });
    const sized = (line: string) => raw(`${line}\r\nContent-Length: ${length}\r\n\r\n`);
    const cases = new Map<string, Case>([
      // Lengths.
      ['too short', { reply: reply(SNAPSHOT, { headers: { 'Content-Length': '40' } }), codes: [9] }],
      ['one byte short', { reply: reply(SNAPSHOT, { headers: { 'Content-Length': `${length - 1}` } }), codes: [9] }],
      ['no byte', { reply: reply(SNAPSHOT, { headers: { 'Content-Length': '0' } }), codes: [9] }],
      ['too long', { reply: reply(SNAPSHOT, { headers: { 'Content-Length': '9999' }, end: 'close' }), codes: [8] }],
      [
        'too long, and waiting',
        { reply: reply(SNAPSHOT, { headers: { 'Content-Length': '9999' } }), codes: [8], timeout: 150 },
      ],
      [
        'beyond 2^64',
        { reply: reply(SNAPSHOT, { headers: { 'Content-Length': '9'.repeat(40) }, end: 'close' }), codes: [8] },
      ],
      ['negative', { reply: reply(SNAPSHOT, { headers: { 'Content-Length': '-1' }, end: 'close' }), codes: [8] }],
      ['no number', { reply: reply(SNAPSHOT, { headers: { 'Content-Length': '0x10' }, end: 'close' }), codes: [8] }],
      ['two lengths', { reply: raw(`${HEAD}Content-Length: ${length}\r\nContent-Length: 5\r\n\r\n`), codes: [8, 9] }],
      [
        'length and chunks',
        { reply: raw(`${HEAD}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n`), codes: [8, 9] },
      ],
      ['a huge chunk', { reply: raw(`${HEAD}Transfer-Encoding: chunked\r\n\r\nfffffffffffffff\r\n`), codes: [8] }],
      ['a chunk without size', { reply: raw(`${HEAD}Transfer-Encoding: chunked\r\n\r\nzz\r\n`), codes: [8] }],
      // Encodings nobody asked for.
      ['gzip', { reply: reply(gzipSync(SNAPSHOT), { headers: { 'Content-Encoding': 'gzip' } }), codes: [0] }],
      ['x-gzip', { reply: reply(gzipSync(SNAPSHOT), { headers: { 'Content-Encoding': 'X-GZIP' } }), codes: [0] }],
      ['br', { reply: reply(brotliCompressSync(SNAPSHOT), { headers: { 'Content-Encoding': 'br' } }), codes: [0] }],
      ['deflate', { reply: reply(deflateSync(SNAPSHOT), { headers: { 'Content-Encoding': 'deflate' } }), codes: [0] }],
      [
        'raw deflate',
        { reply: reply(deflateRawSync(SNAPSHOT), { headers: { 'Content-Encoding': 'deflate' } }), codes: [0, 9] },
      ],
      ['gzip in name only', { reply: reply(SNAPSHOT, { headers: { 'Content-Encoding': 'gzip' } }), codes: [9] }],
      [
        'half a gzip',
        { reply: reply(gzipSync(SNAPSHOT).subarray(0, 90), { headers: { 'Content-Encoding': 'gzip' } }), codes: [9] },
      ],
      ['gzip without a word', { reply: reply(gzipSync(SNAPSHOT)), codes: [9] }],
      [
        'twice gzip',
        { reply: reply(gzipSync(gzipSync(SNAPSHOT)), { headers: { 'Content-Encoding': 'gzip, gzip' } }), codes: [9] },
      ],
      [
        'a bomb',
        {
          reply: reply(gzipSync(Buffer.alloc(20_000_000, ' ')), { headers: { 'Content-Encoding': 'gzip' } }),
          codes: [9],
        },
      ],
      [
        'a brotli bomb',
        {
          reply: reply(
            brotliCompressSync(Buffer.alloc(20_000_000, '0'), { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
            { headers: { 'Content-Encoding': 'br' } },
          ),
          codes: [9],
        },
      ],
      ['an unknown encoding', { reply: reply(SNAPSHOT, { headers: { 'Content-Encoding': 'rot13' } }), codes: [9] }],
      ['identity', { reply: reply(SNAPSHOT, { headers: { 'Content-Encoding': 'identity' } }), codes: [0] }],
      // Characters.
      ['a byte order mark', { reply: reply(`\ufeff${SNAPSHOT}`), codes: [0] }],
      ['UTF-16', { reply: reply(Buffer.from(SNAPSHOT, 'utf16le')), codes: [9] }],
      ['UTF-16 with a mark', { reply: reply(Buffer.from(`\ufeff${SNAPSHOT}`, 'utf16le')), codes: [9] }],
      ['Latin-1', { reply: reply(latin1(SNAPSHOT.replace('kept', 'k\xe4pt'))), codes: [9] }],
      [
        'half a character',
        { reply: reply(Buffer.concat([latin1(SNAPSHOT.slice(0, -1)), latin1('\xe5\xb8}')])), codes: [9] },
      ],
      ['overlong UTF-8', { reply: reply(latin1(SNAPSHOT.replace('kept', '\xc0\xaf'))), codes: [9] }],
      ['a surrogate in UTF-8', { reply: reply(latin1(SNAPSHOT.replace('kept', '\xed\xa0\x80'))), codes: [9] }],
      [
        'a charset that is wrong',
        { reply: reply(SNAPSHOT, { headers: { 'Content-Type': 'text/html; charset=ebcdic' } }), codes: [0] },
      ],
      ['NUL bytes behind', { reply: reply(`${SNAPSHOT}\0\0`), codes: [9] }],
      ['white space around', { reply: reply(`\r\n\t ${SNAPSHOT}\n\n`), codes: [0] }],
      ['two documents', { reply: reply(SNAPSHOT + SNAPSHOT), codes: [9] }],
      // Heads.
      [
        'a header of 100 KB',
        { reply: reply(SNAPSHOT, { headers: { 'X-Flood': 'x'.repeat(100_000) }, end: 'close' }), codes: [8] },
      ],
      [
        '3,000 headers',
        { reply: raw(`${HEAD}${'X-Flood: 1\r\n'.repeat(3000)}Content-Length: ${length}\r\n\r\n`), codes: [0, 8] },
      ],
      [
        'a head without end',
        {
          reply: {
            parts: [latin1(HEAD), ...Array.from({ length: 40 }, (_, n) => latin1(`X-${n}: y\r\n`))],
            gap: 20,
            end: 'open',
          },
          codes: [8],
          timeout: 250,
        },
      ],
      [
        'escape sequences in headers',
        { reply: reply(SNAPSHOT, { headers: { 'X-A': '\x1b[2J\x07', 'Retry-After': '\x1b]0;x' } }), codes: [0, 8] },
      ],
      [
        'a folded header',
        { reply: raw(`${HEAD}X-A: 1\r\n  more\r\nContent-Length: ${length}\r\n\r\n`), codes: [0, 8] },
      ],
      ['a header without a name', { reply: raw(`${HEAD}: x\r\nContent-Length: ${length}\r\n\r\n`), codes: [0, 8] }],
      ['line feeds alone', { reply: raw(`HTTP/1.1 200 OK\nContent-Length: ${length}\n\n`), codes: [0, 8] }],
      // Status lines.
      ['no reason', { reply: sized('HTTP/1.1 200'), codes: [0] }],
      ['a hostile reason', { reply: sized('HTTP/1.1 200 \x1b[31mOK'), codes: [0, 8] }],
      ['HTTP/1.0', { reply: sized('HTTP/1.0 200 OK'), codes: [0] }],
      ['HTTP/9.9', { reply: sized('HTTP/9.9 200 OK'), codes: [0, 8] }],
      ['HTTP/2', { reply: sized('HTTP/2 200'), codes: [0, 8] }],
      ['ICY', { reply: sized('ICY 200 OK'), codes: [0, 8] }],
      ['status 0', { reply: sized('HTTP/1.1 000 No'), codes: [8, 9] }],
      ['status 99', { reply: sized('HTTP/1.1 99 No'), codes: [8, 9] }],
      ['status 2000', { reply: sized('HTTP/1.1 2000 OK'), codes: [8, 9] }],
      ['status 999', { reply: sized('HTTP/1.1 999 No'), codes: [8, 9] }],
      ['a status that is no number', { reply: sized('HTTP/1.1 OK'), codes: [8] }],
      ['no HTTP at all', { reply: { parts: [latin1('SSH-2.0-OpenSSH_9.9\r\n')], end: 'close' }, codes: [8] }],
      ['a TLS alert', { reply: { parts: [latin1('\x15\x03\x01\x00\x02\x02\x46')], end: 'close' }, codes: [8] }],
      [
        'noise',
        {
          reply: { parts: [Buffer.from(Array.from({ length: 5000 }, (_, n) => (n * 7919) % 256))], end: 'close' },
          codes: [8],
        },
      ],
      ['nothing', { reply: { parts: [], end: 'close' }, codes: [8] }],
      ['a reset', { reply: { parts: [], end: 'reset' }, codes: [8] }],
      ['silence', { reply: { parts: [], end: 'open' }, codes: [8], timeout: 150 }],
      // Before, between and behind the answer.
      [
        '100 Continue first',
        { reply: raw(`HTTP/1.1 100 Continue\r\n\r\n${HEAD}Content-Length: ${length}\r\n\r\n`), codes: [0, 8] },
      ],
      [
        '103 Early Hints first',
        {
          reply: raw(`HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n${HEAD}Content-Length: ${length}\r\n\r\n`),
          codes: [0],
        },
      ],
      [
        '102 twenty times',
        {
          reply: raw(`${'HTTP/1.1 102 Processing\r\n\r\n'.repeat(20)}${HEAD}Content-Length: ${length}\r\n\r\n`),
          codes: [0],
        },
      ],
      [
        '102 alone',
        { reply: { parts: [latin1('HTTP/1.1 102 Processing\r\n\r\n')], end: 'open' }, codes: [8], timeout: 150 },
      ],
      [
        '101 Switching',
        {
          reply: raw('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n'),
          codes: [8, 9],
        },
      ],
      [
        'another answer behind',
        {
          reply: raw(`${HEAD}Content-Length: ${length}\r\n\r\n`, `${SNAPSHOT}${HEAD}Content-Length: 2\r\n\r\n{}`),
          codes: [0, 8],
        },
      ],
      [
        'noise behind',
        { reply: raw(`${HEAD}Content-Length: ${length}\r\n\r\n`, `${SNAPSHOT}\0\0garbage\r\n\r\n`), codes: [0, 8] },
      ],
      [
        'trailers',
        {
          reply: raw(
            `${HEAD}Transfer-Encoding: chunked\r\nTrailer: X-A\r\n\r\n${length.toString(16)}\r\n`,
            `${SNAPSHOT}\r\n0\r\nX-A: \x1b[2J\r\n\r\n`,
          ),
          codes: [0, 8],
        },
      ],
    ]);
    await holdAll('lying heads', cases);
  });

  it('every status from 200 to 599, with a body that fits none of them', { timeout: 120_000 }, async () => {
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
  it('arrive byte by byte, or end at the limit', { timeout: 60_000 }, async () => {
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
