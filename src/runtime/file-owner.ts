import type { Stats } from 'node:fs';

/** The user as whom the process opens and makes files; undefined on Windows, where files have no such number. */
export function effectiveUser(): number | undefined {
  return process.geteuid?.();
}

/** Whether another user than this one and root owns a file or folder; never true on Windows. */
export function belongsToOther({ uid }: Pick<Stats, 'uid'>): boolean {
  const user = effectiveUser();
  return user !== undefined && uid !== user && uid !== 0;
}
