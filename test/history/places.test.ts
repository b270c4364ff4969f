/** Places in which no history can be: every command that is pointed at such a place says so. */
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { noHistory } from '../../src/history/store/layout.ts';
import { it } from '../support/fixtures.ts';
import { runHere } from '../support/in-process.ts';

/** Makes the place in a folder. @returns its path, and what the system says of it */
const PLACES = {
  'below a file': (folder: string) => {
    writeFileSync(join(folder, 'file'), '');
    return { directory: join(folder, 'file', 'history'), reason: 'not a directory' };
  },
  'with a name that is too long': (folder: string) => {
    return { directory: join(folder, 'x'.repeat(300)), reason: 'name too long' };
  },
  'behind a link to itself': (folder: string) => {
    symlinkSync('loop', join(folder, 'loop'));
    return { directory: join(folder, 'loop'), reason: 'too many symbolic links encountered' };
  },
};

const LINES = [
  'signals export --check DIR',
  'signals export --plan DIR',
  'signals export DIR',
  'signals ls --from DIR',
  'signals show 1 --from DIR',
  'screeners --from DIR',
  'stats --from DIR',
  'stats --by type --from DIR',
  'today --from DIR',
  'tune --from DIR',
  'report /dev/null --from DIR',
];

describe.each(Object.entries(PLACES))('a place %s', (_, make) => {
  it.for(LINES)('%s', async (line, { home }) => {
    const { directory, reason } = make(home.folder);
    const env = { SCREENER_BASE_URL: 'http://localhost:1', SCREENER_API_KEY: 'sandbox-key' };
    const words = line.split(' ').map((word) => (word === 'DIR' ? directory : word));
    const { code, stdout, stderr } = await runHere(words, { home, env });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^error: (Cannot (read|create)|There is no history in)|is a symbolic/);
    expect(stderr).not.toContain('Unexpected failure');
    if (stderr.includes('Cannot')) expect(stderr).toContain(reason);
  });

  it('is named by noHistory, which throws nothing', ({ home }) => {
    const { directory } = make(home.folder);
    expect(noHistory(directory)).toBe(`There is no history in ${directory}.`);
  });
});
