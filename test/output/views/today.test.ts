/** The page of `today`. */
import path from 'node:path';
import { expect } from 'vitest';
import { formatApiTime } from '../../../src/api/time.ts';
import { DAY } from '../../../src/base/units.ts';
import { verdictWords } from '../../../src/output/views/today.ts';
import { typeLine } from '../../../src/output/views/type-line.ts';
import { NOW } from '../../support/date.ts';
import { it } from '../../support/fixtures.ts';
import { writeCards } from '../../support/history.ts';
import { measuredDetail } from '../../support/samples.ts';
import { judged } from '../../support/standing.ts';

it.for([
  { verdict: 'unclear', verdictVsBtc: 'above', said: 'unclear, but above BTC' },
  { verdict: 'unclear', verdictVsBtc: 'below', said: 'unclear, but below BTC' },
  { verdict: 'small', verdictVsBtc: 'above', said: 'within 1 pp, but above BTC' },
] as const)('says as `screeners` does: $said', ({ verdict, verdictVsBtc, said }) => {
  const standing = judged('a', verdict, { verdictVsBtc, wouldShow: 2 });
  const today = verdictWords(standing, []);
  expect({ today, screeners: typeLine(standing).startsWith(said) }).toEqual({
    today: said,
    screeners: true,
  });
});

it.for([
  { types: ['pump'], column: 'VERDICT (24 H, VS BTC)' },
  { types: ['pump', 'dump'], column: 'VERDICT (24 H, VS YOUR OTHER CARDS)' },
])('names what verdicts of $types are against', async ({ types, column }, { home, here }) => {
  const cards = Array.from({ length: 300 }, (_, n) =>
    measuredDetail(
      {
        id: n + 1,
        created_at: formatApiTime(NOW - (2 + n / 10) * DAY),
        source_bot_type: types[n % types.length] ?? '',
      },
      () => ({ state: 'available', move: n % 5, btc: 0.1 }),
    ),
  );
  const from = writeCards(path.join(home.folder, types.join('-')), cards);
  const { stdout, code } = await here(['today', '--from', from]);
  const header = stdout.split('\n').find((line) => line.startsWith('TYPE '));
  expect({ code, column: header?.trim().split(/ {2,}/).at(-1) }, stdout).toEqual({
    code: 0,
    column,
  });
});
