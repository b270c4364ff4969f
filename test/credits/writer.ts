/** A process of the account, for tests with real processes: bundled and started by processes.test.ts. */
import { Account } from '../../src/credits/account.ts';
import { hastyClock } from './hasty-clock.ts';

const [directory = '', count = '0'] = process.argv.slice(2);

// Nobody reads it any more: who started it was ended, and it would write for ever.
process.stdin.resume().on('end', () => process.exit());

const account = new Account({
  context: { clock: hastyClock, signal: new AbortController().signal, random: Math.random },
  baseUrl: 'https://api.example/api/external/v1',
  key: 'a key',
  directory,
  maxWait: 0,
  notes: {
    warn: (text) => void process.stderr.write(`${text}\n`),
    waiting: () => ({ update: () => {}, stop: () => {} }),
  },
});

for (let n = 0; n < Number(count); n += 1) {
  const turn = await account.gate.enter({ operation: '/signals', cost: 1 });
  await new Promise((resolve) => setImmediate(resolve));
  turn.settle({ status: 200 });
}
process.stdin.destroy();
