import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { writeHistory } from './history-data.js';
import { alternate, figure, ratio } from './measure.js';
import { screener, startService } from './service.js';
import { ms, table, times } from './table.js';

/** What must not grow: an export run with the history's size, a turn with the length of the day's ledger. */
export async function growthBench({ rounds, say, folder }) {
  const { baseUrl, key, stop } = await startService({ cards: 0 });
  try {
    await exportGrowth({ rounds, say, folder, baseUrl, key });
    await ledgerGrowth({ rounds, say, folder, baseUrl, key });
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

async function ledgerGrowth({ rounds, say, folder, baseUrl, key }) {
  const subjects = [10, 600, 6000].map((lines) => {
    const state = path.join(folder, `ledger-${lines}`);
    const env = { SCREENER_BASE_URL: baseUrl, SCREENER_API_KEY: key, SCREENER_STATE_DIR: state };
    const command = [process.execPath, screener, 'access', '--json', '-q'];
    execFileSync(command[0], command.slice(1), { env: { ...process.env, ...env }, stdio: 'pipe' });
    lengthen(state, lines);
    return { name: lines.toLocaleString('en'), argv: command, env };
  });
  const samples = await alternate(subjects, rounds);
  say('One free request, by lines in the ledger of the day (a day of 200 requests has 600)');
  say(
    table(
      ['lines', 'wall', 'ratio'],
      subjects.map(({ name }, i) => [name, ms(figure(samples[i], 'wall')), times(ratio(samples[i], samples[0]))]),
    ),
  );
  say('');
}

function accountOf(state) {
  return fs.readdirSync(path.join(state, 'ledger'))[0];
}

/** As if the account had made that many requests earlier in the day, by repeating what one request wrote. */
function lengthen(state, lines) {
  const folder = path.join(state, 'ledger', accountOf(state));
  const file = path.join(folder, fs.readdirSync(folder)[0]);
  const written = fs
    .readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const nonce = written.find((line) => line.is === 'permit').nonce;
  const three = written.filter((line) => line.nonce === nonce);
  const text = [];
  for (let count = 0; count * three.length < lines; count += 1) {
    for (const line of three) text.push(JSON.stringify({ ...line, nonce: `old.${count}`, at: line.at - 3_600_000 }));
  }
  fs.writeFileSync(file, `${text.join('\n')}\n${written.map((line) => JSON.stringify(line)).join('\n')}\n`);
}
