/** The ledger on a file system that has no hard links, as exFAT and some network shares. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { FakeClock, ledgerFiles, send, startProcess } from './world.ts';

vi.mock('node:fs', async (original) => ({
  ...(await original<typeof import('node:fs')>()),
  linkSync: () => {
    throw Object.assign(new Error('EPERM: operation not permitted, link'), { code: 'EPERM' });
  },
}));

test('a ledger without hard links is shared all the same, and half a state is passed over', async () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'screener-links-'));
  const clock = new FakeClock();
  const processes = [1, 2, 3].map(() => startProcess(clock, directory));
  await Promise.all(processes.map((one) => send(one, clock)));
  for (const one of processes) await send(one, clock);
  expect(startProcess(clock, directory).account.today()).toMatchObject({ requests: 6, charged: 6 });
  const { file, text } = ledgerFiles(directory).at(-1) ?? { file: '', text: '' };
  expect(path.basename(file)).toBe('12.json');
  // Its writer died in the midst of it.
  writeFileSync(file.replace('12.json', '13.json'), text.slice(0, 100));
  await send(startProcess(clock, directory), clock);
  expect(startProcess(clock, directory).account.today()).toMatchObject({ requests: 7, charged: 7 });
  for (const one of processes) expect(one.shown.warnings).toEqual([]);
  rmSync(directory, { recursive: true });
});
