import type { How } from '../api/client.ts';
import type { SignalDetail } from '../api/contract/resources.ts';
import { AskedMeanwhile } from '../api/gate.ts';
import type { Account } from './account.ts';

interface Purchase<T> {
  /** In the history, before each attempt; undefined if the card is to be bought. */
  look(): Promise<T | undefined>;
  ask(how: How): Promise<SignalDetail>;
  /** On the disk: until then no other command asks for the card. */
  keep(detail: SignalDetail): Promise<void>;
}

/** Buys a card once, however many commands want it at a time. @returns what was bought, or found */
export async function buyDetail<T>(
  { clock, gate }: Pick<Account, 'clock' | 'gate'>,
  card: number,
  { look, ask, keep }: Purchase<T>,
  once = false,
): Promise<{ bought: SignalDetail } | { found: T }> {
  for (;;) {
    const lookedAt = clock.now();
    const found = await look();
    if (found !== undefined) return { found };
    try {
      const bought = await ask({ once, claim: { card, lookedAt } });
      await keep(bought);
      return { bought };
    } catch (error) {
      if (!(error instanceof AskedMeanwhile)) throw error;
      // What came in the same millisecond came after that look.
      await clock.sleep(1);
    } finally {
      gate.free(card);
    }
  }
}
