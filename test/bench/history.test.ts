import path from 'node:path';
import { expect } from 'vitest';
import { it } from '../support/fixtures.ts';
import { ON_A_HISTORY, writeHistory } from './history.ts';

it.for(ON_A_HISTORY)(
  '`%s` reads the history that it is measured on',
  async (line, { here, home }) => {
    const history = path.join(home.folder, 'history');
    writeHistory(history, 300);
    const ran = await here([...line.split(' '), '--from', history, '--quiet']);
    expect(ran).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/\S/) });
  },
);
