import { describe, expect, it } from 'vitest';
import type { FieldKind } from '../../../src/output/types.ts';
import { accessView } from '../../../src/output/views/access.ts';
import { cardOutcomeView, cardView } from '../../../src/output/views/card-lists.ts';
import { detailView } from '../../../src/output/views/card-page.ts';
import { screenersView } from '../../../src/output/views/screeners.ts';
import { snapshotView } from '../../../src/output/views/snapshot.ts';
import { statsView } from '../../../src/output/views/stats.ts';
import { DOCUMENT, fieldsOf, type ResourceName } from '../../support/document.ts';

const KINDS: Readonly<Record<string, FieldKind>> = {
  string: 'text',
  time: 'time',
  boolean: 'boolean',
  integer: 'integer',
  number: 'number',
  '[string]': 'texts',
};

/** Names and kinds as the document has them, in its order. */
function listed(resource: ResourceName, prefix = ''): [string, FieldKind][] {
  return fieldsOf(resource).flatMap(({ name, type }) => [
    [prefix + name, KINDS[type] ?? 'object'],
    ...(type in DOCUMENT ? listed(type as ResourceName, `${prefix}${name}.`) : []),
  ]);
}

describe('the fields of a view are those of the document, in its order', () => {
  it.each([
    ['access', accessView(), 'Access'],
    ['snapshot', snapshotView, 'MarketSnapshot'],
    ['screeners', screenersView, 'ScreenerItem'],
    ['card', cardView, 'SignalCard'],
    ['card with outcome', cardOutcomeView, 'SignalDetail'],
    ['detail', detailView, 'SignalDetail'],
    ['stats', statsView, 'SignalStats'],
  ] as const)('%s', (_, view, resource) => {
    expect(view.fields.map(({ name, kind }) => [name, kind])).toEqual(listed(resource));
    for (const { about } of view.fields) expect(about).toMatch(/^[^\n]{3,90}$/);
  });
});
