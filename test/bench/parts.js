/** What is measured. The first subject of a list is what the others are held against. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import tls from 'node:tls';
import { aMinute } from '../support/allowances.ts';
import { startSandbox } from '../support/sandbox.ts';
import { ON_A_HISTORY, writeHistory } from './history.ts';
import { alternate, compare, median, print, runOnce, say } from './measure.js';

/** What a shell or a prompt calls in loops, against an empty Node process. */
export async function start({ node, folder, rounds }) {
  const history = path.join(folder, 'history');
  writeHistory(history, 300);
  const ours = subjectsOf(node, { SCREENER_STATE_DIR: folder, SCREENER_CONFIG_DIR: folder });
  await compare(
    [
      { name: 'node -e 0', argv: [node, '-e', '0'] },
      ours('--version', '1.3'),
      ours('complete signals ls --symbol B', '1.40 on 20, 1.33 on 22, 1.36 on 24'),
      ours('--help', '1.45 on 20, 1.33 on 22, 1.38 on 24'),
      { ...ours(`stats --from ${history}`), name: 'stats of 300 outcomes' },
    ],
    rounds,
  );
}

/** One page of cards from loopback, ledger on, against the script a user would write instead. */
export async function request(how) {
  // Generous, so that it never refuses.
  const plenty = { allowances: aMinute(1_000_000), dayCredits: 1e8, monthCredits: 1e8 };
  const { baseUrl, key, close } = await startSandbox({ ...plenty, cards: 1000 });
  try {
    await requestFrom({ baseUrl, key }, {}, how);
    const secure = await behindTls(baseUrl, how.folder);
    say('Over TLS:');
    await requestFrom({ ...secure, key }, { NODE_EXTRA_CA_CERTS: secure.cert }, how).finally(
      secure.stop,
    );
  } finally {
    await close();
  }
}

const CERTIFICATE =
  'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=localhost -addext';

/** The same service over TLS, as a real one is. @returns also the file of its certificate, for NODE_EXTRA_CA_CERTS */
async function behindTls(service, folder) {
  const [key, cert] = ['tls.key', 'tls.crt'].map((name) => path.join(folder, name));
  const words = [
    ...CERTIFICATE.split(' '),
    'subjectAltName=IP:127.0.0.1',
    '-keyout',
    key,
    '-out',
    cert,
  ];
  execFileSync('openssl', words, { stdio: 'ignore' });
  const server = tls.createServer(
    { key: fs.readFileSync(key), cert: fs.readFileSync(cert) },
    (socket) => {
      const inner = net.connect(Number(new URL(service).port), '127.0.0.1');
      socket.pipe(inner).pipe(socket);
      for (const one of [socket, inner]) one.on('error', () => {});
    },
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const baseUrl = service.replace('http:', 'https:').replace(/:\d+/, `:${server.address().port}`);
  return { baseUrl, cert, stop: () => server.close() };
}

async function requestFrom({ baseUrl, key }, trust, { node, folder, rounds }) {
  const url = `${baseUrl}/signals?limit=25`;
  const script = path.join(folder, 'fetch.mjs');
  fs.writeFileSync(
    script,
    `const answer = await fetch('${url}', { headers: { authorization: 'Bearer ${key}' } });
const { response } = await answer.json();
for (const card of response.items) console.log(JSON.stringify(card));
`,
  );
  const env = {
    ...trust,
    SCREENER_STATE_DIR: path.join(folder, 'state'),
    SCREENER_CONFIG_DIR: path.join(folder, 'config'),
    SCREENER_BASE_URL: baseUrl,
    SCREENER_API_KEY: key,
  };
  const ours = subjectsOf(node, env);
  // The allowance is what /access last said.
  await runOnce(ours('access -q'));
  await compare(
    [
      { name: 'three lines of fetch', argv: [node, script], env: trust },
      ours('signals ls --ndjson -q', '1.18 on 22, 1.12 on 24, .67 on 20'),
      ours('signals ls -q'),
      ours('access -q'),
      ours('signals ls --all --ndjson -q'),
    ],
    rounds,
  );
}

/** How commands on a history grow with it, to as large as it can become. */
export async function growth({ node, folder, rounds, outcomes, peers }) {
  const sizes = [outcomes / 100, outcomes / 10, outcomes];
  const ours = subjectsOf(node, { SCREENER_STATE_DIR: folder, SCREENER_CONFIG_DIR: folder });
  const rows = [];
  for (const size of sizes) {
    const history = path.join(folder, `history-${size}`);
    writeHistory(history, size);
    const files = `${history}/signals-*.ndjson`;
    const duckdb = {
      name: 'DuckDB: a median',
      sh: `duckdb -c "select median(outcome.move_1h_pct) from read_json('${files}', format = 'newline_delimited', columns = {outcome: 'STRUCT(move_1h_pct DOUBLE)'})"`,
    };
    const subjects = ON_A_HISTORY.map((words) => ({
      ...ours(`${words} --from ${history}`),
      name: words,
    }));
    const samples = await alternate(
      peers ? [...subjects, duckdb] : subjects,
      Math.ceil(rounds / 5),
    );
    for (const [i, [{ name }, own]] of samples.entries()) {
      rows[i] ??= [name];
      const seconds = (figure) => (median(own, figure) / 1000).toFixed(2);
      rows[i].push(
        `${seconds('cpu')} s`,
        `${seconds('wall')} s`,
        `${median(own, 'peak').toFixed(0)} MiB`,
      );
    }
  }
  print(['', ...sizes.flatMap((size) => [`${size}: CPU`, 'wall', 'peak'])], rows);
}

const screener = path.resolve('bin/screener.js');

function subjectsOf(node, env) {
  return (words, aim) => ({ name: words, argv: [node, screener, ...words.split(' ')], env, aim });
}
