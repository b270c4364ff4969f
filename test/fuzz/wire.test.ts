import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { actsOnTerminal } from '../hostile/texts.ts';
import { errorLine, it } from '../support/fixtures.ts';
import type { Home } from '../support/home.ts';
import { runHere } from '../support/in-process.ts';
import { snapshot } from '../support/samples.ts';
import { KEY, ok } from '../support/server.ts';
import { type Reply, reply, WireServer } from './wire.ts';

let wire: WireServer;
beforeAll(async () => {
  wire = await WireServer.start();
});
afterAll(() => wire.close());

const SNAPSHOT = String(ok(snapshot()).body);
const LENGTH = Buffer.byteLength(SNAPSHOT);
const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';
const latin1 = (text: string) => Buffer.from(text, 'latin1');

/** What the server sends, the exit codes it may lead to, and --timeout where nothing more will come. */
interface Case {
  readonly reply: Reply;
  readonly codes: readonly number[];
  readonly timeout?: string;
}

/** Whatever came: an exit code of the list, the whole answer or nothing, one line that tells the error. */
async function hold(home: Home, name: string, { reply: answer, codes, timeout = '1h' }: Case): Promise<void> {
  wire.answer = answer;
  wire.asked = 0;
  const env = { SCREENER_BASE_URL: wire.baseUrl, SCREENER_API_KEY: KEY };
  const other = { ...home, state: `${home.state}/${name}` };
  const { code, stdout, stderr } = await runHere(['snapshot', '--json', '--timeout', timeout], { home: other, env });
  expect(codes, `${name}: ${code} ${stderr}`).toContain(code);
  if (code === 0) expect(JSON.parse(stdout), name).toEqual(snapshot());
  else expect({ name, stdout, exit_code: errorLine(stderr).exit_code }).toEqual({ name, stdout: '', exit_code: code });
  expect(stderr, name).not.toMatch(/Unexpected failure|\n\s+at .*:\d+|node:internal/);
  expect(actsOnTerminal(stdout + stderr), name).toBe(undefined);
  // A lost answer is asked for once more.
  expect(wire.asked, name).toBeLessThanOrEqual(2);
}

describe('an answer cut off', () => {
  const bytes = Buffer.from(SNAPSHOT);
  const framings: Record<string, (cut: number) => Case> = {
    'reset, with its length': (cut) => ({
      reply: reply(bytes.subarray(0, cut), { headers: { 'Content-Length': `${LENGTH}` }, end: 'reset' }),
      // A reset may overtake what was sent before it.
      codes: cut === LENGTH ? [0, 8] : [8],
    }),
    'until the connection ends': (cut) => ({
      reply: reply(bytes.subarray(0, cut), {
        headers: { 'Content-Length': undefined, Connection: 'close' },
        end: 'close',
      }),
      codes: cut === LENGTH ? [0] : [9],
    }),
    'in chunks': (cut) => ({
      reply: {
        parts: [
          latin1(`${HEAD}Transfer-Encoding: chunked\r\n\r\n${LENGTH.toString(16)}\r\n`),
          bytes.subarray(0, cut),
          ...(cut === LENGTH ? [latin1('\r\n0\r\n\r\n')] : []),
        ],
        end: 'close',
      },
      codes: cut === LENGTH ? [0] : [8],
    }),
  };
  it.for(Object.entries(framings))('%s', async ([framing, at], { home }) => {
    const cuts = process.env.SCREENER_HEAVY === '1' ? [...bytes.keys()] : [0, 1, 17, LENGTH >> 1, LENGTH - 1];
    for (const cut of [...cuts, LENGTH]) await hold(home, `${framing}, ${cut} bytes`, at(cut));
  });
});

/** An answer with these headers besides the usual ones. */
const sent = (
  headers: Record<string, string>,
  code: number | number[],
  body: string | Uint8Array = SNAPSHOT,
  end: Reply['end'] = 'open',
): Case => ({ reply: reply(body, { headers, end }), codes: [code].flat() });
const holding = (body: string | Uint8Array, code: number): Case => sent({}, code, body);
const sized = (size: string, code: number, end?: Reply['end']): Case =>
  sent({ 'Content-Length': size }, code, SNAPSHOT, end);
const coded = (encoding: string, body: string | Uint8Array, code: number | number[]): Case =>
  sent({ 'Content-Encoding': encoding }, code, body);
/** The bytes of a head, before the usual body. */
const raw = (head: string, code: number | number[], body: string | Uint8Array = SNAPSHOT): Case => ({
  reply: { parts: [latin1(head), Buffer.from(body)], end: 'close' },
  codes: [code].flat(),
});
const whole = `Content-Length: ${LENGTH}\r\n\r\n`;
/** Nothing more comes, and the connection stays. */
const open = (...parts: Uint8Array[]): Case => ({ reply: { parts, end: 'open' }, codes: [8], timeout: '150ms' });

const LIES: Record<string, readonly (readonly [string, Case])[]> = {
  lengths: [
    ['too short', sized('40', 9)],
    ['no byte', sized('0', 9)],
    ['too long, and waiting', { ...sized('9999', 8), timeout: '150ms' }],
    ['beyond 2^64', sized('9'.repeat(40), 8, 'close')],
    ['no number', sized('0x10', 8, 'close')],
    ['two lengths', raw(`${HEAD}Content-Length: ${LENGTH}\r\nContent-Length: 5\r\n\r\n`, [8, 9])],
    ['a huge chunk', raw(`${HEAD}Transfer-Encoding: chunked\r\n\r\nfffffffffffffff\r\n`, 8)],
  ],
  'encodings nobody asked for': [
    ['gzip', coded('gzip', gzipSync(SNAPSHOT), 9)],
    ['gzip without a word', holding(gzipSync(SNAPSHOT), 9)],
    ['identity', coded('identity', SNAPSHOT, 0)],
  ],
  characters: [
    ['a byte order mark', holding(`\ufeff${SNAPSHOT}`, 0)],
    ['UTF-16', holding(Buffer.from(SNAPSHOT, 'utf16le'), 9)],
    ['Latin-1', holding(latin1(SNAPSHOT.replace('kept', 'k\xe4pt')), 9)],
    ['half a character', holding(Buffer.concat([latin1(SNAPSHOT.slice(0, -1)), latin1('\xe5\xb8}')]), 9)],
    ['overlong UTF-8', holding(latin1(SNAPSHOT.replace('kept', '\xc0\xaf')), 9)],
    ['a surrogate in UTF-8', holding(latin1(SNAPSHOT.replace('kept', '\xed\xa0\x80')), 9)],
    ['a charset that is wrong', sent({ 'Content-Type': 'text/html; charset=ebcdic' }, 0)],
    ['NUL bytes behind', holding(`${SNAPSHOT}\0\0`, 9)],
    ['white space around', holding(`\r\n\t ${SNAPSHOT}\n\n`, 0)],
    ['two documents', holding(SNAPSHOT + SNAPSHOT, 9)],
  ],
  headers: [
    ['a header of 100 KB', sent({ 'X-Flood': 'x'.repeat(100_000) }, 8, SNAPSHOT, 'close')],
    ['3,000 headers', raw(`${HEAD}${'X-Flood: 1\r\n'.repeat(3000)}${whole}`, [0, 8])],
    ['a head without end', open(latin1(HEAD))],
    ['escape sequences in headers', sent({ 'X-A': '\x1b[2J\x07', 'Retry-After': '\x1b]0;x' }, [0, 8])],
    ['a folded header', raw(`${HEAD}X-A: 1\r\n  more\r\n${whole}`, [0, 8])],
    ['a header without a name', raw(`${HEAD}: x\r\n${whole}`, [0, 8])],
  ],
  'what it speaks': [
    ['HTTP/1.0', raw(`HTTP/1.0 200 OK\r\n${whole}`, 0)],
    ['a hostile reason', raw(`HTTP/1.1 200 \x1b[31mOK\r\n${whole}`, [0, 8])],
    ['a TLS alert', raw('\x15\x03\x01\x00\x02\x02\x46', 8, '')],
    ['noise', raw('', 8, Buffer.from(Array.from({ length: 5000 }, (_, n) => (n * 7919) % 256)))],
    ['nothing', raw('', 8, '')],
    ['silence', open()],
    ['noise behind the answer', raw(HEAD + whole, [0, 8], `${SNAPSHOT}\0\0garbage\r\n\r\n`)],
  ],
};

describe('a server that lies', () => {
  it.for(Object.entries(LIES))('about %s', async ([, cases], { home }) => {
    for (const [name, one] of cases) await hold(home, name.replace('/', ' '), one);
  });
});
