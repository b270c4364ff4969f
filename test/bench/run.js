/**
 * `npm run bench`: whole processes against what a user would write instead, in turn within one run. Ratios are what
 * counts; the absolute times are this machine's. Options: --node PATH (several, in place of the Node that runs this),
 * --rounds N, --only PART, --outcomes N (the largest history; an account buys 120,000 in ten years), --peers (DuckDB,
 * too).
 */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { say } from './measure.js';
import * as parts from './parts.js';

const { values } = parseArgs({
  options: {
    node: { type: 'string', multiple: true, default: [process.execPath] },
    rounds: { type: 'string', default: '15' },
    only: { type: 'string' },
    outcomes: { type: 'string', default: '120000' },
    peers: { type: 'boolean', default: false },
  },
});

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'screener-bench-'));
say(`${os.availableParallelism()} cores, ${os.cpus()[0]?.model ?? 'unknown CPU'}`);
say(
  'Medians over the quieter half of the rounds, in each of which the commands ran one after the other.',
);
say(`Load: ${os.loadavg()[0].toFixed(1)}`);
try {
  for (const [name, part] of Object.entries(parts)) {
    if (values.only !== undefined && values.only !== name) continue;
    for (const node of values.node) {
      say(`\n== ${name}, Node ${execFileSync(node, ['--version'])}`);
      await part({
        node,
        folder: fs.mkdtempSync(path.join(folder, `${name}-`)),
        rounds: Number(values.rounds),
        outcomes: Number(values.outcomes),
        peers: values.peers,
      });
    }
  }
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}
