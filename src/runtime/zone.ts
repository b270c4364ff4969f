/** The zone in which people read times: `SCREENER_TZ`. */

export interface Zone {
  /** As people are told: `UTC`, `Europe/Berlin`. */
  readonly name: string;
  /** `2026-11-20 18:05:00`. @param at epoch milliseconds UTC */
  readonly clock: (at: number) => string;
}

export const UTC: Zone = {
  name: 'UTC',
  clock: (at) => new Date(at).toISOString().replace('T', ' ').slice(0, 19),
};

/**
 * @param name of IANA, or `local` for the machine's own
 * @returns undefined for a name that this machine does not know
 */
export function zoneNamed(name: string): Zone | undefined {
  try {
    // The Swedish way to write a time is ours.
    const format = new Intl.DateTimeFormat('sv-SE', {
      dateStyle: 'short',
      timeStyle: 'medium',
      ...(name === 'local' ? {} : { timeZone: name }),
    });
    const { timeZone } = format.resolvedOptions();
    return timeZone === 'UTC' ? UTC : { name: name === 'local' ? timeZone : name, clock: (at) => format.format(at) };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
