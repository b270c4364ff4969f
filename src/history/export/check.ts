import { parseApiTime } from '../../api/time.ts';
import type { Clock } from '../../runtime/clock.ts';
import { durationInWords } from '../../runtime/durations.ts';
import { isLocked } from '../../runtime/lock.ts';
import { DAY, MINUTE } from '../../runtime/units.ts';
import { isUnfinished } from '../store/journal.ts';
import { type ExportManifest, loadManifest } from '../store/manifest.ts';
import { Months } from '../store/months.ts';
import { damageSentence, findDamage } from './mend.ts';

const TOLERANCE = 5 * MINUTE;

const GROWING_DAYS = 7;

/** @param maxAge milliseconds @returns a sentence that says what is wrong; undefined where nothing is */
export async function findTrouble(directory: string, maxAge: number, clock: Clock): Promise<string | undefined> {
  const manifest = await loadManifest(directory);
  if (manifest === undefined) return `${directory} holds no history: no run has ended there.`;
  const success = parseApiTime(manifest.last_success ?? '');
  if (success === undefined) return `No export into ${directory} has succeeded yet.`;
  const age = clock.now() - success;
  const last = `The last successful export into ${directory}`;
  if (age < -TOLERANCE)
    return `${last} lies ${durationInWords(-age)} ahead: this machine's clock was wrong then, or is now.`;
  if (age > maxAge) return `${last} was ${durationInWords(age)} ago.`;
  if ((await isUnfinished(directory)) && !isLocked(directory)) {
    return `The last export into ${directory} was killed. The next run continues from what was saved.`;
  }
  const damage = damageSentence(await findDamage(new Months(directory), Object.keys(manifest.months)));
  if (damage !== undefined) return damage;
  const backlog = growingBacklog(manifest, clock.now());
  if (backlog === undefined) return undefined;
  return `Outcomes due but not bought in ${directory}: ${backlog}, more every day for a week.`;
}

/** Counts no run that the pace ended: its backlog is as planned. */
function growingBacklog({ days }: ExportManifest, now: number): number | undefined {
  const recent = days.filter(({ day }) => Date.parse(day) > now - (GROWING_DAYS + 2) * DAY).slice(-GROWING_DAYS - 1);
  const grows = recent.every(({ backlog }, i) => i === 0 || backlog > (recent[i - 1]?.backlog ?? 0));
  return grows && recent.length > GROWING_DAYS ? recent.at(-1)?.backlog : undefined;
}
