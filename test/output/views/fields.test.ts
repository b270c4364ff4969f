import { describe, expect, it } from 'vitest';
import { time } from '../../../src/api/contract/primitives.ts';
import {
  Access,
  MarketSnapshot,
  ScreenerItem,
  SignalCard,
  SignalDetail,
  SignalStats,
} from '../../../src/api/contract/resources.ts';
import type { FieldKind } from '../../../src/output/types.ts';
import { accessView } from '../../../src/output/views/access.ts';
import { cardOutcomeView, cardView } from '../../../src/output/views/card-lists.ts';
import { detailView } from '../../../src/output/views/card-page.ts';
import { screenersView } from '../../../src/output/views/screeners.ts';
import { snapshotView } from '../../../src/output/views/snapshot.ts';
import { statsView } from '../../../src/output/views/stats.ts';
import { type SchemaNode, stagesOf } from '../../support/arbitrary.ts';

/** Names and kinds as the schema of the contract has them, in its order. */
function listed(schema: unknown, prefix = ''): [string, FieldKind][] {
  return Object.entries((schema as SchemaNode).entries ?? {}).flatMap(([key, given]) => {
    const node = given.type === 'nullable' ? (given.wrapped as SchemaNode) : given;
    const name = prefix + key;
    return [[name, kindOf(node)], ...listed(node, `${name}.`)] as [string, FieldKind][];
  });
}

function kindOf(node: SchemaNode): FieldKind {
  if (node === (time as unknown)) return 'time';
  if (node.type === 'string') return 'text';
  if (node.type === 'boolean') return 'boolean';
  if (node.type === 'array') return 'texts';
  if (node.type === 'number') return stagesOf(node).some(({ type }) => type === 'safe_integer') ? 'integer' : 'number';
  return 'object';
}

describe('the fields of a view are those of the contract, in its order', () => {
  it.each([
    ['access', accessView(), Access],
    ['snapshot', snapshotView, MarketSnapshot],
    ['screeners', screenersView, ScreenerItem],
    ['card', cardView, SignalCard],
    ['card with outcome', cardOutcomeView, SignalDetail],
    ['detail', detailView, SignalDetail],
    ['stats', statsView, SignalStats],
  ])('%s', (_, view, schema) => {
    expect(view.fields.map(({ name, kind }) => [name, kind])).toEqual(listed(schema));
    for (const { about } of view.fields) expect(about).toMatch(/^[^\n]{3,90}$/);
  });
});
