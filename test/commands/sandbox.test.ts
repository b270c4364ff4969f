/** What `sandbox` says of each request that it serves. */
import { expect, it } from 'vitest';
import { TestClock } from '../support/context.ts';
import { createHome } from '../support/home.ts';
import { NOW, runHere } from '../support/in-process.ts';

it('sandbox has a line for each request, with its time, its answer and its price', async () => {
  const home = createHome();
  const ask = async (stdout: string) => {
    const { base_url, key } = JSON.parse(stdout);
    const headers = { authorization: `Bearer ${key}` };
    for (const path of ['/access', '/signals?limit=2', '/nothing'])
      await fetch(base_url + path, { headers });
  };
  const ran = await runHere(['sandbox', '--json', '--cards', '10'], {
    home,
    clock: new TestClock(NOW),
    onOutput: (stdout, interrupt) => {
      ask(stdout).finally(interrupt);
    },
  });
  home.remove();
  expect({ code: ran.code, stderr: ran.stderr }).toEqual({
    code: 0,
    stderr:
      'Serving a stand-in for the API with invented cards, until Ctrl-C. Each request is a line below.\n' +
      '18:00:00Z GET /access 200 0 credits\n' +
      '18:00:00Z GET /signals?limit=2 200 1 credit\n' +
      '18:00:00Z GET /nothing 404 0 credits\n',
  });
});
