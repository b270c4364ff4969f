/**
 * Cards that the service records some time after their `created_at`: how far a walk looks back for them into what is
 * covered, and what it learns from those it finds. Epoch milliseconds UTC inside, API times in what is stored.
 */
import { LIMITS } from '../../api/limits.ts';
import { at, formatApiTime } from '../../api/time.ts';
import { DAY, HOUR } from '../../runtime/units.ts';
import { createdAt, monthOf, type StoredCard } from '../store/layout.ts';
import type { Coverage, Walk } from '../store/manifest.ts';
import { newerWalk, newWalk, OVERLAP, walkedTo } from './coverage.ts';
import type { ExportSession } from './session.ts';
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

/** A run looks back as soon as that is cheap, or the last time was almost a day ago. */
const AT_LEAST_EVERY = 20 * HOUR;

/** So many looks are remembered. */
const LOOKS = 16;

/**
 * Walks the list from the last run's end to now, and back into what is covered for the cards that were recorded late.
 * The look back doubles while its older half still brings cards, and shrinks slowly while it does not.
 * @param since how far back a first run goes; the newest thirty days where it is left out
 * @returns whether all came; `late` where cards came later than any look before had looked for
 * @throws ScreenerError of the client or the disk
 */
export async function bringUpToDate(
  session: ExportSession,
  since: number | undefined,
): Promise<'done' | 'late' | 'budget'> {
  const now = session.clock.now();
  let { sorted } = session.coverage.look_back;
  /** Walks down to a time, or to the walk's goal. @returns how far it came; undefined where the budget ended it */
  const walkDown = async (
    first: Walk,
    timeOf: (walk: Walk) => number,
    isSure: (page: readonly StoredCard[]) => boolean = () => true,
  ): Promise<number | undefined> => {
    let reached = at(first.since);
    const isEnough = (walk: Walk) => {
      sorted &&= walk.sorted;
      const page = session.history.journal.entries.at(-1);
      if (walkedTo(walk) > timeOf(walk) || page?.kind !== 'page' || !isSure(page.items)) return false;
      reached = walkedTo(walk);
      return true;
    };
    return (await walkList(session, first, isEnough)) ? reached : undefined;
  };
  if (session.coverage.covered === null) {
    const begun = session.coverage.walk;
    const timeOf = ({ until }: Walk) => (since === undefined ? at(until) - FIRST : Number.NEGATIVE_INFINITY);
    const reached = await walkDown(begun ?? newerWalk(now, since), timeOf);
    if (reached === undefined) return 'budget';
    await session.savePage([], afterLook(session, { since: 0, isBack: true, sorted }));
    if (begun === null) return 'done';
  }
  const before = session.coverage;
  const until = Math.min(now, at(before.covered?.until ?? ''));
  const known = await recentCards(session, until);
  const { needed, asked, isBack } = nextLook(before, known, now);
  const from = session.history.journal.entries.length;
  // One old card that is listed late, or was seen again, may be a page's last one, with newer cards behind it. Behind one
  // that is known, and not seen since, there are none: whether the order is that of created_at, last_seen_at or listing.
  const isOld = (card: StoredCard) => known.has(card.id) && seenAt(card) <= needed;
  let reached = await walkDown(
    newerWalk(now, asked, needed),
    () => needed,
    (page) => page.some(isOld),
  );
  if (reached === undefined) return 'budget';
  const found = () =>
    session.history.journal.entries
      .slice(from)
      .flatMap((entry) => (entry.kind === 'page' ? entry.items : []))
      .flatMap((card) => (known.has(card.id) ? [] : (latenessOf(before, createdAt(card)) ?? [])));
  let { length } = before.look_back;
  let late = found();
  if (Math.max(...late) > NEWS * before.recorded_late) {
    while (length < FURTHEST && late.some((by) => by > length / 2)) {
      length = Math.min(FURTHEST, 2 * length);
      const start = Math.max(until - length, at(before.covered?.since ?? ''));
      if (start >= reached) continue;
      session.notes.debug('Cards were recorded late: looking further back.');
      if (!(await walkList(session, newWalk(start, reached)))) return 'budget';
      reached = start;
      late = found();
    }
  }
  const grown = length > before.look_back.length ? length : undefined;
  const latest = Math.max(0, ...late);
  await session.savePage([], afterLook(session, { since: reached, isBack, sorted, late: latest, grown }));
  return grown !== undefined || session.coverage.recorded_late * BEYOND > FURTHEST ? 'late' : 'done';
}

/** When a card was created, or last seen since. */
function seenAt(card: StoredCard): number {
  const { last_seen_at } = card;
  return Math.max(createdAt(card), typeof last_seen_at === 'string' ? at(last_seen_at) : 0);
}

/** Cards of the days before `until`, and newer ones: `created_at` by id. @throws ScreenerError storage */
async function recentCards(session: ExportSession, until: number): Promise<ReadonlyMap<number, number>> {
  const { journal, months } = session.history;
  const cards = journal.cards();
  const first = monthOf(until - 2 * FURTHEST);
  const recent = new Map<number, number>();
  for (const month of new Set([...Object.keys(session.history.manifest.months), ...cards.months])) {
    if (month < first) continue;
    for (const { id, at } of await months.cards(month, cards)) recent.set(id, at);
  }
  return recent;
}

/**
 * Where the next walk ends: ten minutes before the end of what is covered, or as far back as cards may be late; and back
 * to just after the newest known card, because a clock that was fast has covered a time in which cards came later. A page
 * of known cards more is asked for: the walk ends within it, and what fills its last page costs nothing. Not where pages
 * come in another order than that of `created_at`: there it could not end before the last one.
 */
function nextLook({ covered, look_back }: Coverage, known: ReadonlyMap<number, number>, now: number) {
  const until = Math.min(now, at(covered?.until ?? ''));
  const times = [...known.values()].filter((time) => time <= until).sort((a, b) => b - a);
  const newest = times[0] ?? until - 2 * FURTHEST;
  const back = at(look_back.at ?? '');
  // One in the future is of a clock that was wrong.
  const last = back <= now ? back : newest;
  const isBack = now - last >= AT_LEAST_EVERY || until - last + look_back.length <= now - until;
  const earliest = Math.max(at(covered?.since ?? ''), until - 2 * FURTHEST);
  // The newest known card itself would take a place on the page.
  const wanted = Math.min(until - OVERLAP, newest + 1, isBack ? last - look_back.length : until);
  const needed = Math.max(wanted, earliest);
  const shown = times.filter((time) => time >= needed).length;
  const further = times[shown + LIMITS.cardsPerPage - 1] ?? until - FURTHEST;
  return { needed, asked: look_back.sorted ? Math.max(Math.min(needed, further), earliest) : needed, isBack };
}

/** How late a card is at least of which nothing was known: it was not there when its time was last looked at. */
function latenessOf({ looks }: Coverage, time: number): number | undefined {
  const look = looks.find(({ at: looked, since }) => at(since) <= time && time <= at(looked));
  const by = look && at(look.at) - time;
  return by !== undefined && by > OVERLAP ? by : undefined;
}

/** What came of a look. */
interface Look {
  /** From when on. */
  readonly since: number;
  /** Whether that is as far back as cards may be late. */
  readonly isBack: boolean;
  /** Whether all pages so far came in order of `created_at`. */
  readonly sorted: boolean;
  /** How late the latest card was that was found; 0 for none. */
  readonly late?: number;
  /** How long the look back became, where it did. */
  readonly grown?: number | undefined;
}

function afterLook({ clock, coverage }: ExportSession, look: Look): Coverage {
  const { covered, look_back, recorded_late, looks } = coverage;
  // When the list was looked at, as the service told.
  const now = Math.min(clock.now(), at(covered?.until ?? ''));
  const time = formatApiTime(now);
  const days = Math.max(0, now - at(looks[0]?.at ?? time)) / DAY;
  const latest = Math.round(Math.max(look.late ?? 0, recorded_late * FADING ** days));
  const shrunk = Math.max(LEAST, BEYOND * latest, look_back.length * SHRINKING ** days);
  const since = Math.max(look.since, at(covered?.since ?? time));
  const older = looks.filter((one) => at(one.since) < since && at(one.at) < now);
  return {
    ...coverage,
    recorded_late: latest,
    look_back: {
      length: Math.round(Math.min(FURTHEST, look.grown ?? shrunk)),
      at: look.isBack ? time : look_back.at,
      sorted: look.sorted,
    },
    looks: [{ at: time, since: formatApiTime(since) }, ...older].slice(0, LOOKS),
  };
}
