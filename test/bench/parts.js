/** What is measured. The first subject of a list is what the others are held against. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { writeHistory } from './history-data.js';
import { alternate, compare, median, print } from './measure.js';
import { screener, startService } from './service.js';

/** What a shell or a prompt calls in loops, against an empty Node process. */
export async function start({ node, folder, rounds }) {
  const history = path.join(folder, 'history');
  writeHistory(history, 300);
  const ours = subjectsOf(node, { SCREENER_STATE_DIR: folder, SCREENER_CONFIG_DIR: folder });
  await compare(
    [
      { name: 'node -e 0', argv: [node, '-e', '0'] },
      ours('--version', '1.3'),
      ours('complete signals ls --symbol B', '1.3'),
      ours('--help', '1.35 (Node 20: 1.4)'),
      { ...ours(`stats --from ${history}`), name: 'stats of 300 outcomes' },
    ],
    rounds,
  );
}

/** One page of cards from loopback, ledger on, against the script a user would write instead. */
export async function request({ node, folder, rounds }) {
  const { baseUrl, key, stop } = await startService();
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
    SCREENER_STATE_DIR: path.join(folder, 'state'),
    SCREENER_CONFIG_DIR: path.join(folder, 'config'),
    SCREENER_BASE_URL: baseUrl,
    SCREENER_API_KEY: key,
  };
  const ours = subjectsOf(node, env);
  try {
    // The allowance is what /access last said.
    execFileSync(node, [screener, 'access', '-q', '--json'], { env: { ...process.env, ...env }, stdio: 'pipe' });
    await compare(
      [
        { name: 'three lines of fetch', argv: [node, script] },
        ours('signals ls --ndjson -q', '1.15 on 22, 1.1 on 24, .65 on 20'),
        ours('signals ls -q'),
        ours('access -q'),
        ours('signals ls --all --ndjson -q'),
      ],
      rounds,
    );
  } finally {
    stop();
  }
}

/** How commands on a history grow with it, to as large as it can become. */
export async function growth({ node, folder, rounds, outcomes, peers }) {
  const sizes = [outcomes / 100, outcomes / 10, outcomes];
  const commands = ['stats', 'stats --by type', 'stats --by symbol', 'tune', 'report -'];
  commands.push('signals ls', 'signals ls --all --csv', 'signals ls --all --ndjson');
  const ours = subjectsOf(node, { SCREENER_STATE_DIR: folder, SCREENER_CONFIG_DIR: folder });
  const rows = [];
  for (const size of sizes) {
    const history = path.join(folder, `history-${size}`);
    writeHistory(history, size);
    const files = `${history}/signals-*.ndjson`;
    const duckdb = {
      name: 'DuckDB: a median',
      sh: `duckdb -c "select median(outcome.move_1h_pct) from read_json('${files}', format = 'newline_delimited', columns = {outcome: 'STRUCT(move_1h_pct DOUBLE)'})"`,
      needs: ['duckdb'],
    };
    const subjects = commands.map((words) => ({ ...ours(`${words} --from ${history}`), name: words }));
    const samples = await alternate(peers ? [...subjects, duckdb] : subjects, Math.ceil(rounds / 5));
    for (const [i, [{ name }, own]] of samples.entries()) {
      rows[i] ??= [name];
      const seconds = (figure) => (median(own, figure) / 1000).toFixed(2);
      rows[i].push(`${seconds('cpu')} s`, `${seconds('wall')} s`, `${median(own, 'peak').toFixed(0)} MiB`);
    }
  }
  print(['', ...sizes.flatMap((size) => [`${size}: CPU`, 'wall', 'peak'])], rows);
}

function subjectsOf(node, env) {
  return (words, aim) => ({ name: words, argv: [node, screener, ...words.split(' ')], env, aim });
}
