import { describe, expect } from 'vitest';
import { it, parseLines } from '../support/fixtures.ts';
import * as samples from '../support/samples.ts';
import { listing, ok } from '../support/server.ts';

describe.concurrent('what the server answers is what comes out', () => {
  it('signals show with several ids keeps their order', async ({ server, here }) => {
    for (const n of [1, 2, 3]) server.always(`/signals/${9000 - n}`, ok(samples.nthDetail(n)));
    const json = await here(['signals', 'show', '8997', '8999', '8998', '--json']);
    expect(JSON.parse(json.stdout)).toEqual([3, 1, 2].map(samples.nthDetail));
    const ndjson = await here(['signals', 'show', '-', '--fresh', '--ndjson'], {
      stdin: '8998\n{"id":8999,"x":1}\n8997 8998\n',
    });
    expect(parseLines(ndjson.stdout)).toEqual([2, 1, 3].map(samples.nthDetail));
    expect(server.credits).toBe(6);
  });

  it.for([
    { input: '{\n  "items": []\n}\n', repeated: '{' },
    { input: `{"items":"${'x'.repeat(99)}"}`, repeated: `{"items":"${'x'.repeat(50)}` },
    { input: `id,${'column,'.repeat(20)}\r\n`, repeated: `id,${'column,'.repeat(9)}`.slice(0, 60) },
  ])(
    'signals show says of $input which list it reads',
    async ({ input, repeated }, { server, here }) => {
      const ran = await here(['signals', 'show', '-'], { stdin: input });
      expect({ ...ran, requests: server.requests }).toMatchObject({
        code: 2,
        stdout: '',
        stderr:
          `error: A card's id is a whole number from 1, not '${repeated}'.\n` +
          'hint: Pipe in ids, or cards a line each, for example:\n' +
          '  screener signals ls --ndjson | screener signals show -\n',
        requests: [],
      });
    },
  );

  it('an empty list is no error', async ({ server, here }) => {
    server
      .always('/signals', listing([]))
      .always('/screeners', ok({ scope: 'current_settings', items: [] }));
    for (const command of ['signals ls --ndjson', 'screeners --ndjson', 'signals ls']) {
      expect(await here(command.split(' ')), command).toMatchObject({ code: 0, stdout: '' });
    }
    expect(JSON.parse((await here(['signals', 'ls', '--json'])).stdout).items).toEqual([]);
    expect((await here(['signals', 'ls', '--csv'])).stdout.split('\r\n')).toHaveLength(2);
  });

  it('--fields takes names with blanks between, as PowerShell hands them on', async ({
    server,
    here,
  }) => {
    server.always('/signals/{id}', ok(samples.nthDetail(1)));
    const fields = 'outcome.move_1h_pct id entry_context.rsi_14';
    expect((await here(['signals', 'show', '8999', '--fields', fields, '--csv'])).stdout).toBe(
      'outcome.move_1h_pct,id,entry_context.rsi_14\r\n1.5,8999,31.2\r\n',
    );
  });

  it.for([
    { used: 996, code: 7, asked: ['/access'] },
    { used: 995, code: 0, asked: ['/access', '/signal-stats'] },
    { used: 990, code: 0, asked: ['/access', '/signal-stats'] },
  ])('stats after $used of 1000 credits', async ({ used, code, asked }, { server, here }) => {
    server.always('/access', ok(samples.access(used)));
    const ran = await here(['stats', '--json', '--type', 'my type']);
    expect({ code: ran.code, isSilent: ran.stdout === '' }).toEqual({ code, isSilent: code === 7 });
    expect(ran.stderr).toMatch(
      new RegExp(`${1000 - used} of 1000 credits (are )?left this month,.* 2026-12-01`),
    );
    expect(server.requests.map(({ path }) => path)).toEqual(asked);
    expect(
      server.to('/signal-stats').every(({ query }) => query.screener_type === 'my type'),
      'each request names the type',
    ).toBe(true);
    // There is no history to ask yet, and where 5 credits were left, none are.
    const shown = (await here(['stats'])).stderr;
    expect(shown.endsWith('\n  screener signals export --plan\n')).toBe(used === 990);
  });

  it('stats says that a type has no cards instead of showing nothing in a table', async ({
    server,
    here,
  }) => {
    server.always(
      '/signal-stats',
      ok({ ...samples.stats(), screener_type: 'oi_grwth', sampled_rows: 0 }),
    );
    const ran = await here(['stats', 'oi_grwth', '--yes']);
    expect(ran.stdout).toMatch(/^No cards of type .* in the last 30 days/);
    server.always(
      '/signal-stats',
      ok({ ...samples.stats(), screener_type: 'all', sampled_rows: 0 }),
    );
    expect((await here(['stats', '--yes'])).stdout).toMatch(/^No cards in the last 30 days/);
  });

  it('stats --by type asks for each type of your screeners, once its cost is said', async ({
    server,
    here,
  }) => {
    server.always('/access', ok(samples.access(100)));
    const ran = await here(['stats', '--by', 'type', '--ndjson']);
    expect(ran.code, ran.stderr).toBe(0);
    expect(parseLines(ran.stdout)).toEqual([{ ...samples.stats(), screener_type: 'price' }]);
    expect(ran.stderr).toMatch(
      /; this costs 1 for the list of screeners, 5 for each type\.\nfunding: switched off, so not asked\.\n.*; this costs 5 more for 1 type\.$/m,
    );
    expect(server.to('/signal-stats').map(({ query }) => query)).toEqual([
      { screener_type: 'price' },
    ]);
    expect((await here(['stats', '--by', 'type'])).stdout).toMatch(
      /^Your types in the last 30 days[\s\S]*\nTYPE +VS BTC 24H/,
    );
  });

  it('an integer too large for a number comes out to the digit in a field of no document', async ({
    server,
    here,
  }) => {
    const trace = { id: '@1234567890123456789', parts: ['@1234567890123456789'] };
    const withNumbers = (response: object) => ({
      body: String(ok(response).body).replace(/"@(\d+)"/g, '$1'),
    });
    const context = { entry_context: { rsi: 70.5, seen: '@1234567890123456789' } };
    server
      .always('/signals', withNumbers(samples.page([{ ...samples.nthCard(1), trace }])))
      .always('/signals/{id}', withNumbers({ ...samples.nthDetail(1), ...context, trace }));
    for (const [line, count] of [
      ['signals ls --json', 2],
      ['signals ls --ndjson', 2],
      ['signals show 8999 --json', 3],
      ['signals show 8999 --csv', 1],
      ['signals show 8999', 1],
      // Bought by the first show, it is in the default history now.
      ['signals ls --local --ndjson', 3],
    ] as const) {
      const { code, stdout, stderr } = await here(line.split(' '));
      const found = stdout.split('1234567890123456789').length - 1;
      expect({ line, code, found }, stderr).toEqual({ line, code: 0, found: count });
    }
  });
});
