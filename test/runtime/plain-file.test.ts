/** How plain files are read. */
import fs, { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { forEachLine } from '../../src/runtime/plain-file.ts';

it.each(['', 'a line\n'])(
  'a file of %j that grows while it is read is not read byte by byte',
  (begin) => {
    const folder = mkdtempSync(join(tmpdir(), 'plain-file-'));
    const path = join(folder, 'journal');
    writeFileSync(path, begin);
    const added = 'a card of the list\n'.repeat(20_000);
    const { fstatSync } = fs;
    let hasGrown = false;
    // Another process writes right after this one has looked at the size.
    vi.spyOn(fs, 'fstatSync').mockImplementation(((fd: number) => {
      const stats = fstatSync(fd);
      if (!hasGrown) appendFileSync(path, added);
      hasGrown = true;
      return stats;
    }) as typeof fs.fstatSync);
    const reads = vi.spyOn(fs, 'readSync');
    syncBuiltinESMExports();
    onTestFinished(() => {
      vi.restoreAllMocks();
      syncBuiltinESMExports();
      rmSync(folder, { recursive: true, force: true });
    });
    let text = '';
    forEachLine(path, 1e9, (line) => {
      text += `${line}\n`;
    });
    expect(text.trimEnd()).toBe((begin + added).trimEnd());
    expect(reads.mock.calls.length).toBeLessThan(20);
  },
);
