import { BREAKS, type FaultCase, nameOf, SCENARIOS, STATUSES } from './cases.ts';

export interface Result {
  readonly given: FaultCase;
  readonly shortfalls: readonly string[];
}

/** Cases that held, of how many, by operation and fault; and every one that fell short in words. */
export function reportOf(results: readonly Result[]): string {
  const columns = [...STATUSES, ...BREAKS];
  const rows = SCENARIOS.map(({ name }) => [
    name,
    ...columns.map((fault) => {
      const here = results.filter(({ given }) => given.scenario.name === name && given.fault === fault);
      const short = here.filter(({ shortfalls }) => shortfalls.length > 0).length;
      return short === 0 ? `${here.length}` : `${here.length - short}/${here.length}`;
    }),
  ]);
  const table = [['cases that held', ...columns], ...rows];
  const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? [];
  const lines = table.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  '),
  );
  const short = results.filter(({ shortfalls }) => shortfalls.length > 0);
  const words = short
    .slice(0, 40)
    .map(({ given, shortfalls }) => `  ${nameOf(given)}\n    ${shortfalls.join('\n    ')}`);
  return [...lines, '', ...words, `${results.length} cases, ${short.length} fell short`].join('\n');
}
