/** What the receipt of an export, and export.json, say of the parts of a run that ended early. */
import { readFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { it } from '../support/fixtures.ts';
import { cards as cardsOf, nthDetail } from '../support/samples.ts';
import type { ApiServer } from '../support/server.ts';
import { failure, listing, ok } from '../support/server.ts';

interface Receipt {
  readonly stopped_by: string | null;
  readonly complete: boolean;
  readonly remaining: { readonly outcomes_due: number };
  readonly parts: Readonly<Record<string, { readonly complete: boolean }>>;
}

const completeParts = ({ parts }: Receipt) =>
  Object.fromEntries(Object.entries(parts).map(([part, { complete }]) => [part, complete]));

/** After so many details the service cannot be reached. */
function goesAwayAfter(server: ApiServer, details: number): void {
  let sent = 0;
  server.always('/signals/{id}', ({ path }) => {
    sent += 1;
    if (sent === details) void server.close();
    return {
      ...ok(nthDetail(9000 - Number(path.slice('/signals/'.length)))),
      headers: { connection: 'close' },
    };
  });
}

describe('an export that ended early', () => {
  it('has no complete part that the network kept from its turn', async ({ server, here, home }) => {
    goesAwayAfter(server, 2);
    const dir = `${home.folder}/history`;
    const { code, stdout } = await here(['signals', 'export', dir, '--json']);
    const receipt: Receipt = JSON.parse(stdout);
    const isDue = receipt.remaining.outcomes_due > 0;
    const expected = { list: true, details: false, settings: false, medians: true };
    expect({ code, stoppedBy: receipt.stopped_by, isDue, parts: completeParts(receipt) }).toEqual({
      code: 8,
      stoppedBy: 'error',
      isDue: true,
      parts: expected,
    });
    expect(server.to('/screeners')).toEqual([]);
    const kept: Receipt = JSON.parse(readFileSync(`${dir}/export.json`, 'utf8'));
    expect(completeParts(kept)).toEqual(expected);
  });

  it('has no complete settings if the budget ended before them', async ({ server, here, home }) => {
    server.holds([]);
    const args = ['signals', 'export', `${home.folder}/history`, '--json'];
    const first: Receipt = JSON.parse((await here([...args, '--max-credits', '1'])).stdout);
    const second: Receipt = JSON.parse((await here(args)).stdout);
    const endOf = (receipt: Receipt) => ({
      stoppedBy: receipt.stopped_by,
      complete: receipt.complete,
      parts: completeParts(receipt),
    });
    expect({ first: endOf(first), second: endOf(second) }).toEqual({
      first: {
        stoppedBy: 'max_credits',
        complete: false,
        parts: { list: true, details: true, settings: false, medians: true },
      },
      second: {
        stoppedBy: null,
        complete: true,
        parts: { list: true, details: true, settings: true, medians: true },
      },
    });
  });

  it.for([
    {
      what: '--keep',
      options: ['--keep', '5000'],
      env: {},
      stoppedBy: 'keep',
      sentence: '--keep 5000 is reached. ',
      plan: ' Credits nothing: --keep is reached; more from 2026-12-01 00:00 UTC ',
    },
    {
      what: 'SCREENER_DAILY',
      options: [],
      env: { SCREENER_DAILY: '3' },
      stoppedBy: 'daily',
      sentence: 'SCREENER_DAILY=3 is reached. ',
      plan: ' Credits nothing: SCREENER_DAILY is reached; more from 2026-11-28 00:00 UTC ',
    },
  ])(
    'names $what, in the run and in its plan, and no remedy that does not help',
    async (row, { here, home }) => {
      const dir = `${home.folder}/history`;
      const export_ = ['signals', 'export', dir];
      // The list is read, and the outcomes due are more than the month's credits.
      await here([...export_, '--max-credits', '3']);
      const withLimit = { env: row.env };
      const plan = await here([...export_, ...row.options, '--plan'], withLimit);
      expect(plan.stdout.replace(/\s+/g, ' ')).toContain(row.plan);
      const planJson = await here([...export_, ...row.options, '--plan', '--json'], withLimit);
      expect(JSON.parse(planJson.stdout)).toMatchObject({ stops_at: row.stoppedBy });
      const said = await here([...export_, ...row.options], withLimit);
      expect(said.stderr).toContain(row.sentence);
      expect(said.stderr).not.toContain('--all-credits');
      const receipt = await here([...export_, ...row.options, '--json'], withLimit);
      expect({
        code: receipt.code,
        stoppedBy: JSON.parse(receipt.stdout).stopped_by,
      }).toEqual({ code: 0, stoppedBy: row.stoppedBy });
    },
  );

  it('names a list that was refused behind a card that is not as documented', async ({
    server,
    here,
    home,
  }) => {
    const [bad = {}, ...cards] = cardsOf(60);
    const list = listing([{ ...bad, source_symbol: 7 }, ...cards]);
    server.always('/signals', (request) =>
      request.query.cursor === undefined ? list(request) : failure(403),
    );
    const { stderr } = await here(['signals', 'export', `${home.folder}/history`]);
    expect(stderr).toMatch(
      /1 card of the list not as documented, and not kept\. List refused since \d+ Nov \(403\)\. /,
    );
  });

  it('names no part that the user left out', async ({ server, here, home }) => {
    server.holds([]).always('/screeners', failure(403));
    const args = ['signals', 'export', `${home.folder}/history`];
    expect((await here(args)).stderr).toMatch(/Settings refused since \d+ Nov \(403\)\. /);
    server.always('/signals', failure(403));
    const { stderr } = await here([...args, '--no-screeners']);
    expect(stderr).toMatch(/List refused since \d+ Nov \(403\)\. /);
    expect(stderr).not.toContain('Settings');
  });

  it('has no outcomes left to buy with --no-outcomes, which its plan promises neither', async ({
    server,
    here,
    home,
  }) => {
    server.holds(cardsOf(60));
    const args = ['signals', 'export', `${home.folder}/history`, '--no-outcomes'];
    const plan = await here([...args, '--plan']);
    expect(plan.stdout).toMatch(/^Still open +not known before the first run: the list of cards$/m);
    const { stderr } = await here(args);
    expect(stderr).toMatch(/0 of \d+ due outcomes bought\. Still open: nothing\. Complete\./);
  });
});
