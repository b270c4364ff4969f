/**
 * Cards that the service records some time after their `created_at`: how far a walk looks back for them into what is
 * covered, and what it learns from those it finds. Epoch milliseconds UTC inside, API times in what is stored.
 */
import { LIMITS } from '../api/limits.ts';
import { formatApiTime } from '../api/time.ts';
import { DAY, HOUR } from '../runtime/units.ts';
import type { Applied } from './apply-journal.ts';
import { at, newerWalk, OVERLAP, walkBetween, walkedTo } from './coverage.ts';
import type { Coverage, Walk } from './export-manifest.ts';
import type { ExportSession } from './export-session.ts';
import { createdAt, monthOf } from './layout.ts';
import type { Months } from './months.ts';
import type { LockedHistory } from './open-export.ts';
import { walkList } from './walk.ts';

/** The first run asks for so much before anything else: what a user waits for is in it. */
const FIRST = 30 * DAY;

/** The shortest look back; and nobody looks further for a late card. */
const LEAST = HOUR;
const FURTHEST = 7 * DAY;

/** A look back ends this much beyond the latest card that was found. */
const BEYOND = 1.5;

/** A card that is later than any before by as much says that others may be later still. */
const NEWS = 1.1;

/** How much is left after a day without: of the lateness that showed, and of a look back longer than that needs. */
const FADING = 0.995;
const SHRINKING = 0.8;

/** A run looks back as soon as that is cheap, or the last time was almost a day ago; and further once a week. */
const AT_LEAST_EVERY = 20 * HOUR;
const FURTHER_EVERY = 7 * DAY;

/** So many looks are remembered. */
const LOOKS = 16;

type LookBack = Coverage['look_back'];

/** From when on a walk asks, and what for. */
interface Look {
  readonly since: number;
  /** Whether it goes back as far as cards may be late. */
  readonly isBack: boolean;
  /** Whether it goes back further by a page. */
  readonly isFurther: boolean;
}

/**
 * Walks the list from the last run's end to now, and back into what is covered for the cards that were recorded late.
 * The look back doubles while its older half still brings cards, and shrinks slowly while it does not.
 * @param since how far back a first run goes; the newest thirty days where it is left out
 * @returns whether all came; `late` where cards came later than any look before had looked for
 * @throws ScreenerError of the client or the disk
 */
export async function bringUpToDate(
  session: ExportSession,
  history: LockedHistory,
  applied: Applied,
  since: number | undefined,
): Promise<'done' | 'late' | 'budget'> {
  const now = session.clock.now();
  if (session.coverage.covered === null) {
    const begun = session.coverage.walk;
    const first = begun ?? newerWalk(session.coverage, now, since);
    const isEnough = (walk: Walk) => since === undefined && walkedTo(walk) <= at(walk.until) - FIRST;
    if (!(await walkList(session, first, isEnough))) return 'budget';
    const look = { since: 0, isBack: true, isFurther: false };
    await session.savePage([], afterLook(session.coverage, look, looked(session)));
    if (begun === null) return 'done';
  }
  const before = session.coverage;
  if (before.covered === null) throw new Error('nothing is covered after a first walk');
  const until = Math.min(now, at(before.covered.until));
  const known = await recentCards(history.months, applied, until);
  const look = nextLook(before, known, now);
  const from = history.journal.entries.length;
  if (!(await walkList(session, newerWalk(before, now, since, look.since)))) return 'budget';
  const found = () =>
    history.journal.entries
      .slice(from)
      .flatMap((entry) => (entry.kind === 'page' ? entry.items : []))
      .flatMap((card) => (known.has(card.id) ? [] : (latenessOf(before, createdAt(card)) ?? [])));
  let reached = look.since;
  let length = before.look_back.length;
  let late = found();
  if (Math.max(...late) > NEWS * before.recorded_late) {
    while (length < FURTHEST && late.some((by) => by > length / 2)) {
      length = Math.min(FURTHEST, 2 * length);
      const start = Math.max(until - length, at(before.covered.since));
      if (start >= reached) continue;
      session.notes.debug('Cards were recorded late: looking further back.');
      if (!(await walkList(session, walkBetween(start, reached)))) return 'budget';
      reached = start;
      late = found();
    }
  }
  const grown = length > before.look_back.length ? length : undefined;
  await session.savePage(
    [],
    afterLook(session.coverage, { ...look, since: reached }, looked(session), Math.max(0, ...late), grown),
  );
  return grown !== undefined || session.coverage.recorded_late * BEYOND > FURTHEST ? 'late' : 'done';
}

/** When the list was looked at last, as the service told. */
function looked({ clock, coverage }: ExportSession): number {
  return Math.min(clock.now(), at(coverage.covered?.until ?? ''));
}

/** Cards of the days before `until`, and newer ones: `created_at` by id. @throws ScreenerError storage */
async function recentCards(
  months: Months,
  { manifest, cards }: Applied,
  until: number,
): Promise<ReadonlyMap<number, number>> {
  const first = monthOf(until - 2 * FURTHEST);
  const recent = new Map<number, number>();
  for (const month of new Set([...Object.keys(manifest.months), ...cards.months.keys()])) {
    if (month < first) continue;
    for (const { id, at } of await months.cards(month, cards)) recent.set(id, at);
  }
  return recent;
}

/**
 * Ten minutes before the end of what is covered, or as far back as cards may be late; further by as many known cards as
 * fit on the last page that the new ones will probably need, and back to just after the newest known card, which costs
 * nothing. A clock that was fast has covered a time in which cards came later.
 */
function nextLook({ covered, look_back }: Coverage, known: ReadonlyMap<number, number>, now: number): Look {
  if (covered === null) throw new Error('nothing is covered yet');
  const until = Math.min(now, at(covered.until));
  const times = [...known.values()].filter((time) => time <= until).sort((a, b) => b - a);
  const last = lastOf(look_back.at, times[0] ?? until, now);
  const back = last - look_back.length;
  const isBack = now - last >= AT_LEAST_EVERY || until - back <= now - until;
  const needed = Math.min(until - OVERLAP, isBack ? back : until);
  const within = (days: number) => times.filter((time) => time > until - days * DAY).length / days;
  const expected = Math.ceil(((now - until) / DAY) * Math.max(within(1), within(7)));
  const shown = times.filter((time) => time >= needed).length;
  const filled = (expected + shown) % LIMITS.cardsPerPage || (expected > 0 ? LIMITS.cardsPerPage : 0);
  // Places are left for as many more as may well come than usual.
  const places = LIMITS.cardsPerPage - filled - Math.ceil(2 * Math.sqrt(expected)) - 1;
  const isFurther = now - lastOf(look_back.further_at, now, now) >= FURTHER_EVERY;
  const more = Math.max(0, places) + (isFurther ? LIMITS.cardsPerPage : 0);
  const oldest = more > 0 ? (times[shown + more - 1] ?? until - FURTHEST) : needed;
  // The newest known card itself would take a place on the page.
  const newest = (times[0] ?? until - 2 * FURTHEST) + 1;
  const since = Math.max(Math.min(needed, oldest, newest), at(covered.since), until - 2 * FURTHEST);
  return { since, isBack, isFurther };
}

/** A time that was kept; `otherwise` where there is none, or it lies in the future: a clock was wrong then. */
function lastOf(time: string | null, otherwise: number, now: number): number {
  const kept = time === null ? Number.NaN : at(time);
  return kept <= now ? kept : otherwise;
}

/** How late a card is at least of which nothing was known: it was not there when its time was last looked at. */
function latenessOf({ looks }: Coverage, time: number): number | undefined {
  const look = looks.find(({ at: looked, since }) => at(since) <= time && time <= at(looked));
  const by = look && at(look.at) - time;
  return by !== undefined && by > OVERLAP ? by : undefined;
}

/** @param late how late the latest card was that was found @param grown how long the look back became, where it did */
function afterLook(coverage: Coverage, look: Look, now: number, late = 0, grown?: number): Coverage {
  const { look_back, recorded_late, looks } = coverage;
  const time = formatApiTime(now);
  const days = Math.max(0, now - at(looks[0]?.at ?? time)) / DAY;
  const latest = Math.round(Math.max(late, recorded_late * FADING ** days));
  const shrunk = Math.max(LEAST, BEYOND * latest, look_back.length * SHRINKING ** days);
  const since = Math.max(look.since, at(coverage.covered?.since ?? time));
  const next: LookBack = {
    length: Math.round(Math.min(FURTHEST, grown ?? shrunk)),
    at: look.isBack ? time : look_back.at,
    further_at: look.isFurther || !(at(look_back.further_at ?? '') <= now) ? time : look_back.further_at,
  };
  const older = looks.filter((one) => at(one.since) < since && at(one.at) < now);
  const all = [{ at: time, since: formatApiTime(since) }, ...older].slice(0, LOOKS);
  return { ...coverage, recorded_late: latest, look_back: next, looks: all };
}
