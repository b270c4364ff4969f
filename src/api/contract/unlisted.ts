/**
 * Fields for which the document lists the allowed values. The API is a beta, so a value that is not listed is worth a
 * warning and nothing more: the data stays usable.
 */
const LISTED: Record<string, readonly (string | number)[]> = {
  plan: ['PRO'],
  timeframe: ['day'],
  url_scope: ['filtered_notification_history'],
  facts_scope: ['latest_episode_update'],
  context_scope: ['entry_snapshot'],
  state_1h: ['pending', 'missing', 'available'],
  state_24h: ['pending', 'missing', 'available'],
  window_days: [30],
};

/** `scope` means another thing in every resource, so its values are listed per operation. */
const SCOPE: Record<string, string> = {
  '/market-snapshot': 'platform',
  '/screeners': 'current_settings',
  '/signals': 'own_recorded_notifications',
  '/signal-stats': 'own_recorded_outcomes',
};

export interface Unlisted {
  field: string;
  value: string | number;
}

/**
 * Finds values the document does not list, in the places where the document puts those fields.
 * @param path the operation's path of part 4
 * @param resource a resource that already passed its schema
 */
export function unlistedValues(path: string, resource: object): Unlisted[] {
  const found: Unlisted[] = [];
  const look = (value: unknown) => {
    for (const [field, allowed] of Object.entries(LISTED)) {
      const given = (value as Record<string, unknown>)[field];
      if ((typeof given === 'string' || typeof given === 'number') && !allowed.includes(given)) {
        found.push({ field, value: given });
      }
    }
  };
  const record = resource as Record<string, unknown>;
  look(record);
  const scope = SCOPE[path];
  if (scope !== undefined && typeof record.scope === 'string' && record.scope !== scope) {
    found.push({ field: 'scope', value: record.scope });
  }
  if (record.outcome !== null && typeof record.outcome === 'object') look(record.outcome);
  if (path === '/signals' && Array.isArray(record.items)) record.items.forEach(look);
  return found;
}
