/** Changes of the screeners' settings, as far as looks at them show. Pure. */
import type { ScreenersLook } from './screeners-log.ts';

export interface SettingsChange {
  /** When a look first found it, epoch milliseconds UTC. It happened at some time since the look before. */
  readonly at: number;
  /** Screener types that changed, came or went. */
  readonly types: readonly string[];
}

/**
 * The changes that looks within a window found, oldest first.
 * @param looks oldest first
 * @param type the only screener type that matters; undefined for all
 */
export function settingsChanges(
  looks: readonly ScreenersLook[],
  { since, until, type }: { since: number; until: number; type?: string | undefined },
): SettingsChange[] {
  return looks.flatMap((look, i) => {
    const before = looks[i - 1];
    if (before === undefined || look.at <= since || look.at > until) return [];
    const [old, now] = [settingsByType(before), settingsByType(look)];
    const types = [...new Set([...old.keys(), ...now.keys()])].filter(
      (one) => (type === undefined || one === type) && old.get(one) !== now.get(one),
    );
    return types.length === 0 ? [] : [{ at: look.at, types }];
  });
}

/** What each type's screeners say, in an order of their own. */
function settingsByType({ screeners }: ScreenersLook): Map<string, string> {
  const texts = new Map<string, string[]>();
  for (const item of screeners.items) {
    texts.set(item.type, [...(texts.get(item.type) ?? []), JSON.stringify(sortedKeys(item))]);
  }
  return new Map([...texts].map(([type, all]) => [type, all.sort().join('\n')]));
}

function sortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedKeys);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, one]) => [key, sortedKeys(one)]));
}
