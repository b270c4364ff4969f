import { chmodSync, lchownSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { writeOutputFile } from '../../src/runtime/files.ts';
import { modeOf } from '../support/files.ts';
import { it } from '../support/fixtures.ts';

describe('a file that a user named for output', () => {
  it('keeps the mode of the one it replaces, and is private if it is new', async ({ home }) => {
    const [old, made] = [path.join(home.folder, 'old'), path.join(home.folder, 'made')];
    writeFileSync(old, 'old');
    chmodSync(old, 0o664);
    await writeOutputFile(old, 'new');
    await writeOutputFile(made, 'new');
    expect([readFileSync(old, 'utf8'), modeOf(old), modeOf(made)]).toEqual(['new', '0664', '0600']);
  });

  it.skipIf(process.getuid?.() !== 0)("is not written through another user's link", async ({ home }) => {
    const [target, link] = [path.join(home.folder, 'target'), path.join(home.folder, 'report.html')];
    writeFileSync(target, 'precious');
    symlinkSync(target, link);
    lchownSync(link, 12345, 12345);
    chmodSync(home.folder, 0o1777);
    await expect(writeOutputFile(link, 'new')).rejects.toMatchObject({
      code: 'storage',
      message: `${link} is another user's link, in a folder that others can write to.`,
    });
    expect(readFileSync(target, 'utf8')).toBe('precious');
  });
});
