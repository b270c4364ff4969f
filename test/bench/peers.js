import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

/** Whether a program is on the PATH. */
export function has(program) {
  return spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
}

/**
 * DuckDB with typed columns, as a Node program that prints four medians, from a folder that holds `@duckdb/node-api` (BENCH_PEERS), or from
 * the registry when asked for with --peers.
 * @returns {string | undefined} the script's path
 */
export function duckdbScript(folder, install) {
  const peers = process.env.BENCH_PEERS ?? folder;
  if (!fs.existsSync(path.join(peers, 'node_modules/@duckdb/node-api'))) {
    if (!install) return undefined;
    execFileSync('npm', ['install', '--prefix', peers, '--no-save', '@duckdb/node-api'], { stdio: 'ignore' });
  }
  const script = path.join(peers, 'median.mjs');
  fs.writeFileSync(
    script,
    `import { DuckDBInstance } from '@duckdb/node-api';
const connection = await (await DuckDBInstance.create()).connect();
const result = await connection.runAndReadAll(\`
  select median(outcome.move_1h_pct), median(outcome.move_1h_pct - outcome.btc_move_1h_pct),
         median(outcome.move_24h_pct), median(outcome.move_24h_pct - outcome.btc_move_24h_pct)
  from read_json('\${process.argv[2]}/signals-*.ndjson', format = 'newline_delimited', columns = {outcome:
    'STRUCT(move_1h_pct DOUBLE, btc_move_1h_pct DOUBLE, move_24h_pct DOUBLE, btc_move_24h_pct DOUBLE)'})\`);
process.stdout.write(JSON.stringify(result.getRowsJson()) + '\\n');
`,
  );
  return script;
}

/** jq's own median of one horizon, in constant memory as far as jq can: one number a card, sorted. */
export function jqMedian(directory) {
  return `cat ${directory}/signals-*.ndjson | jq -c '.outcome.move_1h_pct // empty' | sort -g | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'`;
}
