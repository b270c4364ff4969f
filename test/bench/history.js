import path from 'node:path';
import { writeHistory } from './history-data.js';
import { alternate, figure, ratio } from './measure.js';
import { duckdbScript, has, jqMedian } from './peers.js';
import { screener } from './service.js';
import { mib, ms, table, times } from './table.js';

/** Statistics and listing of a local history as large as it can become. */
export async function historyBench({ rounds, details, fetchPeers, say, folder }) {
  const node = process.execPath;
  const directory = path.join(folder, 'history');
  writeHistory(directory, details);
  const few = Math.max(3, Math.floor(rounds / 5));

  const duckdb = duckdbScript(path.join(folder, 'peers'), fetchPeers);
  const peers = [
    ...(duckdb === undefined ? [] : [{ name: 'DuckDB', argv: [node, duckdb, directory], target: 2.5 }]),
    ...(has('jq') ? [{ name: 'jq', sh: jqMedian(directory), target: 0.5 }] : []),
  ];
  const stats = { name: 'screener stats --from', argv: [node, screener, 'stats', '--from', directory, '--json', '-q'] };
  const subjects = [stats, ...peers];
  const samples = await alternate(subjects, few);
  say(`Statistics over ${details.toLocaleString('en')} details; ratio of screener to each (target)`);
  say(
    table(
      ['', 'wall', 'peak', 'ratio'],
      subjects.map(({ name, target }, i) => [
        name,
        ms(figure(samples[i], 'wall')),
        mib(figure(samples[i], 'peak')),
        i === 0 ? '' : `${times(ratio(samples[0], samples[i]))} (${target})`,
      ]),
    ),
  );
  if (duckdb === undefined)
    say('skipped: DuckDB (run with --peers, or set BENCH_PEERS to a folder with @duckdb/node-api)');
  if (!has('jq')) say('skipped: jq');

  const list = {
    name: 'screener signals ls --from --all --ndjson',
    argv: [node, screener, 'signals', 'ls', '--from', directory, '--all', '--ndjson', '-q'],
  };
  const cat = { name: 'cat through a pipe', sh: `cat ${directory}/signals-*.ndjson | cat` };
  const streams = await alternate([list, cat], Math.max(3, Math.floor(few / 2)));
  say(
    `\n${table(
      ['Every line through a pipe', 'wall', 'MB/s', 'peak', 'ratio'],
      [list, cat].map(({ name }, i) => [
        name,
        ms(figure(streams[i], 'wall')),
        (figure(streams[i], 'bytes') / figure(streams[i], 'wall') / 1000).toFixed(0),
        mib(figure(streams[i], 'peak')),
        times(ratio(streams[i], streams[1])),
      ]),
    )}\n`,
  );
}
