/**
 * `npm run bench`: whole processes against what a user would write instead, in turn within one run. Ratios are what
 * counts; the absolute times are this machine's. Options: --details N (history size; by default the 120,000 outcomes
 * that an account can buy in ten years), --rounds N, --peers (fetch DuckDB from the registry into a temporary folder),
 * --only WORD, --node PATH (repeatable: other Nodes, for what starts whole processes).
 */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { growthBench } from './growth.js';
import { historyBench } from './history.js';
import { requestBench } from './request.js';
import { startBench } from './start.js';

const { values } = parseArgs({
  options: {
    details: { type: 'string', default: '120000' },
    rounds: { type: 'string', default: '15' },
    peers: { type: 'boolean', default: false },
    only: { type: 'string' },
    node: { type: 'string', multiple: true, default: [] },
  },
});

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'screener-bench-'));
const bench = {
  folder,
  rounds: Number(values.rounds),
  details: Number(values.details),
  fetchPeers: values.peers,
  say: (text) => process.stdout.write(`${text}\n`),
};

/** What depends on the version of Node. */
const OF_NODE = ['start', 'request'];
const nodes = [process.execPath, ...values.node];

const parts = { start: startBench, request: requestBench, history: historyBench, growth: growthBench };
try {
  bench.say(`${os.availableParallelism()} cores, ${os.cpus()[0]?.model ?? 'unknown CPU'}`);
  bench.say('Ratios are medians over rounds in which the commands ran one after the other.\n');
  for (const [name, part] of Object.entries(parts)) {
    if (values.only !== undefined && values.only !== name) continue;
    for (const node of OF_NODE.includes(name) ? nodes : [process.execPath]) {
      const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
      bench.say(`Node ${version}`);
      const own = fs.mkdtempSync(path.join(folder, 'node-'));
      await part({ ...bench, node, major: Number.parseInt(version.slice(1), 10), folder: own });
    }
  }
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}
