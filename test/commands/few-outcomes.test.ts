/** A median of few outcomes may be that of a single strange card: no page shows it. */
import { expect } from 'vitest';
import { formatApiTime } from '../../src/api/time.ts';
import { HOUR } from '../../src/base/units.ts';
import { NOW } from '../support/date.ts';
import { it } from '../support/fixtures.ts';
import { writeCards } from '../support/history.ts';
import { measuredDetail } from '../support/samples.ts';

/** No other figure of a page has these digits. */
const MOVE = 7.77;

it.for([
  { outcomes: 1, isShown: false },
  { outcomes: 5, isShown: false },
  { outcomes: 6, isShown: true },
])(
  'a median of $outcomes outcomes vs BTC is shown on every page: $isShown',
  async ({ outcomes, isShown }, { home, here }) => {
    const cards = Array.from({ length: outcomes }, (_, n) => {
      const created_at = formatApiTime(NOW - (30 + n) * HOUR);
      return measuredDetail({ id: n + 1, created_at, source_bot_type: 'pump' }, () => ({
        state: 'available',
        move: MOVE,
        btc: 0,
      }));
    });
    writeCards(home.folder, cards);
    const on = async (...words: string[]) => (await here([...words, '--from', home.folder])).stdout;
    // Other sections of the report have each outcome.
    const [, inReport = ''] =
      /<div class="value value-1">([^<]*)/.exec(await on('report', '-')) ?? [];
    const pages = {
      ranking: await on('stats', '--by', 'type'),
      ofType: await on('screeners', 'pump'),
      report: inReport,
    };
    const shown = Object.entries(pages).map(([page, text]) => [page, text.includes(`+${MOVE}`)]);
    const expected = Object.keys(pages).map((page) => [page, isShown]);
    expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(expected));
    expect(pages.ofType).toMatch(isShown ? /^vs BTC +\+7\.77 pp after 24 h/m : /^vs BTC +–$/m);
  },
);
