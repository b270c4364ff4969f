import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { writeHistory } from './history-data.js';
import { alternate, figure, ratio } from './measure.js';
import { screener, startService } from './service.js';
import { ms, table, times } from './table.js';

/** What must not grow with the history's size: an export run. */
export async function growthBench({ rounds, say, folder }) {
  const { baseUrl, key, stop } = await startService({ cards: 0 });
  try {
    await exportGrowth({ rounds, say, folder, baseUrl, key });
  } finally {
    stop();
  }
}

async function exportGrowth({ rounds, say, folder, baseUrl, key }) {
  const env = {
    SCREENER_BASE_URL: baseUrl,
    SCREENER_API_KEY: key,
    SCREENER_STATE_DIR: path.join(folder, 'export-state'),
  };
  execFileSync(process.execPath, [screener, 'access', '-q', '--json'], {
    env: { ...process.env, ...env },
    stdio: 'pipe',
  });
  const subjects = [1000, 12_000, 120_000].map((size) => {
    const directory = path.join(folder, `export-${size}`);
    writeHistory(directory, size, { account: accountOf(env.SCREENER_STATE_DIR) });
    return {
      name: size.toLocaleString('en'),
      argv: [process.execPath, screener, 'signals', 'export', directory, '-q'],
      env,
    };
  });
  const samples = await alternate(subjects, rounds);
  say('An export run that finds nothing new, by cards in the history');
  say(
    table(
      ['cards', 'wall', 'ratio'],
      subjects.map(({ name }, i) => [name, ms(figure(samples[i], 'wall')), times(ratio(samples[i], samples[0]))]),
    ),
  );
  say('');
}

function accountOf(state) {
  return fs.readdirSync(path.join(state, 'ledger'))[0];
}
