import path from 'node:path';
import { describe, expect } from 'vitest';
import { it, parseLines } from '../support/fixtures.ts';
import * as samples from '../support/samples.ts';
import { type Answer, ok, serveAll } from '../support/server.ts';

const LARGE = '1234567890123456789';
/** Becomes a number of these digits in an answer. */
const TRACE = `@${LARGE}`;

function withNumbers(response: unknown): Answer {
  return { body: String(ok(response).body).replace(/"@(\d+)"/g, '$1') };
}

const page = (items: readonly unknown[]) => withNumbers({ ...samples.page(items), page_id: TRACE });

const card = { ...samples.nthCard(1), created_at: '2026-11-10T12:00:00Z', trace: { id: TRACE, parts: [TRACE] } };
const detail = { ...samples.nthDetail(1), ...card, entry_context: { rsi: 70.5, seen: TRACE } };

/** How often the digits stand in a text, and no rounded ones. */
function times(text: string): number {
  expect(text).not.toMatch(/123456789012345(?!6789)\d/);
  return text.split(LARGE).length - 1;
}

describe.concurrent('an integer too large for a number', () => {
  it('comes out to the digit where the document names no such field', async ({ server, here }) => {
    const conditions = { limit: TRACE, parts: [{ deep: { deeper: { still: { id: TRACE } } } }] };
    server
      .always('/signals', page([card]))
      .always('/signals/{id}', withNumbers(detail))
      .always(
        '/screeners',
        withNumbers({ scope: 'current_settings', items: [{ type: 't', active: true, conditions }] }),
      )
      .always('/market-snapshot', withNumbers({ ...samples.snapshot(), trace: TRACE }));
    const expected: readonly (readonly [string, number])[] = [
      ['signals ls --json', 3],
      ['signals ls --ndjson', 2],
      ['signals show 8999 --json', 3],
      ['signals show 8999 --csv', 1],
      ['signals show 8999 --fields entry_context.seen', 1],
      ['signals show 8999', 1],
      ['screeners', 2],
      ['screeners --csv', 2],
      ['snapshot --json', 1],
    ];
    for (const [line, count] of expected) {
      const { code, stdout, stderr } = await here(line.split(' '));
      expect({ line, code, times: times(stdout) }, stderr).toEqual({ line, code: 0, times: count });
    }
  });

  it('is kept in the history when its card is brought up to date', async ({ server, here, home }) => {
    const directory = path.join(home.folder, 'history');
    serveAll(server).always('/signals/{id}', withNumbers(detail));
    for (const repeat_count of [1, 77]) {
      server.always('/signals', page([{ ...card, repeat_count }]));
      expect((await here(['signals', 'export', directory, '--quiet'])).code).toBe(0);
    }
    const local = await here(['signals', 'ls', '--from', directory, '--ndjson']);
    expect([times(local.stdout), parseLines(local.stdout)[0].repeat_count]).toEqual([3, 77]);
    expect(times((await here(['signals', 'show', '8999', '--from', directory])).stdout)).toBe(1);
  });
});
