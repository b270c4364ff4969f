/** `[████░░░░]`, or `[####----]` where block characters cannot be shown. */
export function bar(share: number, cells: number, unicode: boolean): string {
  const within = Number.isFinite(share) ? Math.min(1, Math.max(0, share)) : 0;
  // Nothing is drawn as nothing and all as all, whatever rounding says: the two are read as such.
  const rounded = Math.round(within * cells);
  const least = within > 0 ? 1 : 0;
  const most = within < 1 ? cells - 1 : cells;
  const filled = Math.max(least, Math.min(most, rounded));
  const [full, empty] = unicode ? ['█', '░'] : ['#', '-'];
  return `[${full.repeat(filled)}${empty.repeat(cells - filled)}]`;
}
