/** A server below HTTP: it reads a request's head and answers with whatever bytes a case wants. */
import net, { type AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect } from 'vitest';
import { actsOnTerminal } from '../hostile/texts.ts';
import { errorLine, it } from '../support/fixtures.ts';
import type { Home } from '../support/home.ts';
import { runHere } from '../support/in-process.ts';
import { snapshot } from '../support/samples.ts';
import { KEY, ok, PREFIX } from '../support/server.ts';

interface Reply {
  readonly parts: readonly Uint8Array[];
  /** What follows the last part: the connection stays open, is closed, or is reset. */
  readonly end: 'open' | 'close' | 'reset';
}

let answer: Reply;
let requestCount = 0;
const sockets = new Set<net.Socket>();
const wire = net.createServer((socket) => {
  sockets.add(socket);
  socket.on('error', () => {});
  socket.on('data', (chunk) => {
    if (!chunk.includes('\r\n\r\n')) return;
    requestCount += 1;
    // Everything in one write: what comes after the answer is then already there when the answer is read.
    if (answer.parts.length > 0) socket.write(Buffer.concat(answer.parts));
    if (answer.end === 'close') socket.end();
    else if (answer.end === 'reset') socket.resetAndDestroy();
  });
});
beforeAll(() => new Promise<void>((resolve) => wire.listen(0, '127.0.0.1', resolve)));
afterAll(() => {
  for (const socket of sockets) socket.destroy();
  wire.close();
});

const latin1 = (text: string) => Buffer.from(text, 'latin1');

/** An answer as HTTP/1.1 wants it, with a head that can be bent. */
function reply(
  body: Uint8Array | string,
  headers: Record<string, string | undefined> = {},
  end: Reply['end'] = 'open',
): Reply {
  const bytes = Buffer.from(body);
  const all = {
    'Content-Type': 'application/json',
    'Content-Length': String(bytes.length),
    ...headers,
  };
  const lines = Object.entries(all).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${value}\r\n`],
  );
  return { parts: [latin1(`HTTP/1.1 200 OK\r\n${lines.join('')}\r\n`), bytes], end };
}

const SNAPSHOT = String(ok(snapshot()).body);
const LENGTH = Buffer.byteLength(SNAPSHOT);
const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';

/** What the server sends, the exit codes it may lead to, and --timeout where nothing more will come. */
interface Case {
  readonly reply: Reply;
  readonly codes: readonly number[];
  readonly timeout?: string;
}

/** Whatever came: an exit code of the list, the whole answer or nothing, one line that tells the error. */
async function hold(
  home: Home,
  name: string,
  { reply: given, codes, timeout = '1h' }: Case,
): Promise<void> {
  answer = given;
  requestCount = 0;
  const { port } = wire.address() as AddressInfo;
  const env = { SCREENER_BASE_URL: `http://127.0.0.1:${port}${PREFIX}`, SCREENER_API_KEY: KEY };
  const other = { ...home, state: `${home.state}/${name}` };
  const { code, stdout, stderr } = await runHere(['snapshot', '--json', '--timeout', timeout], {
    home: other,
    env,
  });
  expect(codes, `${name}: ${code} ${stderr}`).toContain(code);
  if (code === 0) expect(JSON.parse(stdout), name).toEqual(snapshot());
  else
    expect({ name, stdout, exit_code: errorLine(stderr).exit_code }).toEqual({
      name,
      stdout: '',
      exit_code: code,
    });
  expect(stderr, name).not.toMatch(/Unexpected failure|\n\s+at .*:\d+|node:internal/);
  expect(actsOnTerminal(stdout + stderr), name).toBe(undefined);
  // A lost answer is asked for once more.
  expect(requestCount, name).toBeLessThanOrEqual(2);
}

const bytes = Buffer.from(SNAPSHOT);
const framings: Record<string, (cut: number) => Case> = {
  'reset, with its length': (cut) => ({
    reply: reply(bytes.subarray(0, cut), { 'Content-Length': `${LENGTH}` }, 'reset'),
    // A reset may overtake what was sent before it.
    codes: cut === LENGTH ? [0, 8] : [8],
  }),
  'until the connection ends': (cut) => ({
    reply: reply(
      bytes.subarray(0, cut),
      { 'Content-Length': undefined, Connection: 'close' },
      'close',
    ),
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
it.for(Object.entries(framings))('an answer cut off: %s', async ([framing, at], { home }) => {
  const cuts =
    process.env.SCREENER_HEAVY === '1' ? [...bytes.keys()] : [0, 1, 17, LENGTH >> 1, LENGTH - 1];
  for (const cut of [...cuts, LENGTH]) await hold(home, `${framing}, ${cut} bytes`, at(cut));
});

/** An answer with these headers besides the usual ones. */
const sent = (
  headers: Record<string, string>,
  code: number | number[],
  body: string | Uint8Array = SNAPSHOT,
  end: Reply['end'] = 'open',
): Case => ({ reply: reply(body, headers, end), codes: [code].flat() });
const holding = (body: string | Uint8Array, code: number): Case => sent({}, code, body);
const sized = (size: string, code: number, end?: Reply['end']): Case =>
  sent({ 'Content-Length': size }, code, SNAPSHOT, end);
/** The bytes of a head, before the usual body. */
const raw = (
  head: string,
  code: number | number[],
  body: string | Uint8Array = SNAPSHOT,
): Case => ({
  reply: { parts: [latin1(head), Buffer.from(body)], end: 'close' },
  codes: [code].flat(),
});
const whole = `Content-Length: ${LENGTH}\r\n\r\n`;
/** Nothing more comes, and the connection stays. */
const open = (...parts: Uint8Array[]): Case => ({
  reply: { parts, end: 'open' },
  codes: [8],
  timeout: '150ms',
});

const LIES: Record<string, readonly (readonly [string, Case])[]> = {
  lengths: [
    ['too short', sized('40', 9)],
    ['too long, and waiting', { ...sized('9999', 8), timeout: '150ms' }],
    ['beyond 2^64', sized('9'.repeat(40), 8, 'close')],
    ['two lengths', raw(`${HEAD}Content-Length: ${LENGTH}\r\nContent-Length: 5\r\n\r\n`, [8, 9])],
    ['a huge chunk', raw(`${HEAD}Transfer-Encoding: chunked\r\n\r\nfffffffffffffff\r\n`, 8)],
  ],
  characters: [
    ['gzip', sent({ 'Content-Encoding': 'gzip' }, 9, gzipSync(SNAPSHOT))],
    ['a byte order mark', holding(`\ufeff${SNAPSHOT}`, 0)],
    ['UTF-16', holding(Buffer.from(SNAPSHOT, 'utf16le'), 9)],
    ['Latin-1', holding(latin1(SNAPSHOT.replace('kept', 'k\xe4pt')), 9)],
    ['white space around', holding(`\r\n\t ${SNAPSHOT}\n\n`, 0)],
    ['two documents', holding(SNAPSHOT + SNAPSHOT, 9)],
  ],
  headers: [
    ['a header of 100 KB', sent({ 'X-Flood': 'x'.repeat(100_000) }, 8, SNAPSHOT, 'close')],
    ['a head without end', open(latin1(HEAD))],
    [
      'escape sequences in headers',
      sent({ 'X-A': '\x1b[2J\x07', 'Retry-After': '\x1b]0;x' }, [0, 8]),
    ],
    ['a folded header', raw(`${HEAD}X-A: 1\r\n  more\r\n${whole}`, [0, 8])],
  ],
  'what it speaks': [
    ['HTTP/1.0', raw(`HTTP/1.0 200 OK\r\n${whole}`, 0)],
    ['noise', raw('', 8, Buffer.from(Array.from({ length: 5000 }, (_, n) => (n * 7919) % 256)))],
    ['nothing', raw('', 8, '')],
    ['silence', open()],
    ['noise behind the answer', raw(HEAD + whole, [0, 8], `${SNAPSHOT}\0\0garbage\r\n\r\n`)],
  ],
};

it.for(Object.entries(LIES))('a server that lies: about %s', async ([, cases], { home }) => {
  for (const [name, answer] of cases) await hold(home, name.replace('/', ' '), answer);
});
