/** What is measured: commands, each beside what a user would write instead. The first of a list is what the others are held against. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { compare } from './compare.js';
import { writeHistory } from './history-data.js';
import { screener, startService } from './service.js';

/** What a shell or a prompt calls in loops, against an empty Node process. */
export async function start(bench) {
  const env = { SCREENER_STATE_DIR: bench.folder, SCREENER_CONFIG_DIR: bench.folder };
  const ours = (words, aim) => ({ name: words, argv: [bench.node, screener, ...words.split(' ')], aim, env });
  await compare(
    'Start, against node -e 0',
    [
      { name: 'node -e 0', argv: [bench.node, '-e', '0'] },
      ours('--version', 'CPU 1.3'),
      ours('complete signals ls --symbol B', 'CPU 1.3'),
      ours('--help', 'CPU 1.4'),
    ],
    bench,
  );
}

/** One page of cards as NDJSON from loopback, ledger on, against the scripts a user would write instead. */
export async function request(bench) {
  const { folder, node } = bench;
  const { baseUrl, key, stop } = await startService({ cards: 1000 });
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
  const ours = (words, aim) => ({ name: words, argv: [node, screener, ...words.split(' '), '-q'], aim, env });
  try {
    // The allowance is what /access last said.
    execFileSync(node, [screener, 'access', '-q', '--json'], { env: { ...process.env, ...env }, stdio: 'pipe' });
    await compare(
      'One page of 25 cards from loopback, against three lines of fetch',
      [
        { name: 'three lines of fetch', argv: [node, script] },
        {
          name: 'HTTPie | jq',
          sh: `http --ignore-stdin GET '${url}' 'Authorization: Bearer ${key}' | jq -c '.response.items[]'`,
          needs: ['http', 'jq'],
        },
        {
          name: 'curl | jq',
          sh: `curl -s -H 'Authorization: Bearer ${key}' '${url}' | jq -c '.response.items[]'`,
          needs: ['curl', 'jq'],
        },
        ours('signals ls --ndjson', 'CPU 1.1'),
        ours('signals ls', 'CPU 1.4'),
        ours('access', 'CPU 1.4'),
        ours('signals ls --all --ndjson'),
      ],
      bench,
    );
  } finally {
    stop();
  }
}

/** Statistics and listing of a local history as large as it can become. */
export async function history(bench) {
  const directory = path.join(bench.folder, 'history');
  const files = `${directory}/signals-*.ndjson`;
  const few = { ...bench, rounds: Math.max(3, Math.floor(bench.rounds / 5)) };
  const ours = (words) => ({
    name: words,
    argv: [bench.node, screener, ...words.split(' '), '--from', directory, '-q'],
  });
  writeHistory(directory, bench.details);
  await compare(
    `Statistics over ${bench.details.toLocaleString('en')} details`,
    [
      ours('stats --json'),
      {
        // In constant memory as far as jq can: one number a card, sorted.
        name: 'jq | sort',
        sh: `cat ${files} | jq -c '.outcome.move_1h_pct // empty' | sort -g | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'`,
        needs: ['jq'],
      },
      {
        name: 'DuckDB',
        sh: `duckdb -c "select median(outcome.move_1h_pct) from read_json('${files}', format = 'newline_delimited', columns = {outcome: 'STRUCT(move_1h_pct DOUBLE)'})"`,
        needs: ['duckdb'],
      },
    ],
    few,
  );
  await compare(
    'Every line through a pipe, against cat',
    [{ name: 'cat', sh: `cat ${files} | cat` }, ours('signals ls --all --ndjson')],
    few,
  );
}
