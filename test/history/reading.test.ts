import { expect, it } from 'vitest';
import { run as list } from '../../src/commands/signals-ls-local.ts';
import { History } from '../../src/history/store/history.ts';
import { cardsAnHourApart, HOUR, invocationOf, NOW, started } from './support.ts';

it('signals ls --from filters as online', async () => {
  const details = cardsAnHourApart(600);
  const { dir } = await started(details);
  const [since, until] = [NOW - 300.5 * HOUR, NOW - 10.5 * HOUR];
  const ofBoth = details.filter((one) => one.source_symbol === 'S3USDT' && one.source_bot_type === 'pump');
  const expected = ofBoth.filter(({ created_at: at }) => Date.parse(at) >= since && Date.parse(at) <= until);
  const invocation = invocationOf({});
  const history = new History(dir, invocation.notes);
  await list(invocation, { history, since, until, symbol: 'S3USDT', type: 'pump', limit: 600 });
  const [page] = invocation.said.results as { items: { id: number }[] }[];
  expect(page?.items.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
  expect(expected.length).toBeGreaterThan(10);
});
