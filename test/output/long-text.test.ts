import { expect, it } from 'vitest';
import type { View } from '../../src/output/types.ts';
import { cardView } from '../../src/output/views/card-lists.ts';
import { detailView } from '../../src/output/views/card-page.ts';
import { screenersView } from '../../src/output/views/screeners.ts';
import * as samples from '../support/samples.ts';
import { outputTo, pagesOf } from './written.ts';

/** Measuring it in one piece takes minutes, and the process hears no Ctrl-C meanwhile. */
const LONG = 'ж'.repeat(120_000);

const CASES: [string, View<never>, object][] = [
  ['a symbol', cardView as View<never>, { ...samples.nthCard(1), source_symbol: LONG }],
  [
    'conditions',
    screenersView as View<never>,
    { type: 'pump', active: true, conditions: { parts: [LONG], [LONG]: 1 } },
  ],
  ['a page', detailView as View<never>, { ...samples.nthDetail(1), source_symbol: LONG, entry_context: { [LONG]: 1 } }],
];

it.each(CASES)('%s of 120,000 characters is cut before it is measured', async (_, view, item) => {
  for (const width of [80, undefined]) {
    const { context, output } = outputTo('table', {
      env: { NO_COLOR: '1' },
      ...(width === undefined ? {} : { width }),
    });
    await output.list(view, pagesOf([[item as never]], { head: null }));
    expect(context.stdout.text).toContain('ж…');
    expect(context.stdout.text.length).toBeLessThan(20_000);
  }
});
