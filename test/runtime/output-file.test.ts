import { execFileSync } from 'node:child_process';
import { chmodSync, lchownSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { writeOutputFile } from '../../src/runtime/files.ts';
import { it } from '../support/fixtures.ts';

it.skipIf(process.getuid?.() !== 0).for(['link', 'file', 'pipe'])(
  "a file that a user named for output is not another user's %s where others can write",
  async (kind, { home }) => {
    const [target, named] = [
      path.join(home.folder, 'target'),
      path.join(home.folder, 'report.html'),
    ];
    writeFileSync(target, 'precious');
    if (kind === 'link') symlinkSync(target, named);
    else if (kind === 'file') writeFileSync(named, 'theirs');
    else execFileSync('mkfifo', [named]);
    lchownSync(named, 12345, 12345);
    chmodSync(home.folder, 0o1777);
    await expect(writeOutputFile(named, 'new')).rejects.toMatchObject({
      code: 'storage',
      message: `${named} belongs to another user, in a folder that others can write to.`,
    });
    expect(readFileSync(target, 'utf8')).toBe('precious');
  },
);
