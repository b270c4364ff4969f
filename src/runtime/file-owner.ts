import type { Stats } from 'node:fs';

/** Undefined on Windows. */
export function effectiveUser(): number | undefined {
  return process.geteuid?.();
}

export function belongsToOther({ uid }: Pick<Stats, 'uid'>): boolean {
  const user = effectiveUser();
  return user !== undefined && uid !== user && uid !== 0;
}
