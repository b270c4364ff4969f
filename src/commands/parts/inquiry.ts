/** A question to a history, and all that its answer is worked out from: cards, settings, the notebook. */
import { apiTimeOrNull, at, formatApiTime } from '../../api/time.ts';
import { matches } from '../../base/collections.ts';
import { didYouMean } from '../../base/near-names.ts';
import { usageError } from '../../errors.ts';
import type { Outlook } from '../../history/export/outlook.ts';
import { monthOf, startOfMonth } from '../../history/store/layout.ts';
import {
  dueAfterIn,
  dueUntil,
  type ExportManifest,
  listedUntil,
  outcomesPerDay,
  sittingsInManifest,
  typesInFocus,
} from '../../history/store/manifest.ts';
import {
  configuredTypes,
  inUseSince,
  type LookWithChanges,
  offSinceByType,
  presentSettingsSince,
  type ScreenersLook,
  settingsChanges,
} from '../../history/store/settings-periods.ts';
import { figuresOf } from '../../outcomes/figures.ts';
import type { Finding } from '../../outcomes/findings.ts';
import { type HistoryCard, historyCardOf } from '../../outcomes/history-card.ts';
import {
  type CardChoice,
  type Evidence,
  isChosen,
  isEveryCard,
  isOfWholeTypes,
  isTypeChosen,
  JUDGED_WINDOW,
  type Question,
  questionOf,
  type Terms,
} from '../../outcomes/question.ts';
import { answersWithin, lastSittings } from '../../outcomes/service-answers.ts';
import { type KnownScreeners, standingsOf } from '../../outcomes/standing.ts';
import { type PlainObject, read } from '../../output/fields.ts';
import type { Message } from '../../output/views/parts.ts';
import type { Judgements } from '../../report/answer.ts';
import { accountLoggedIn } from './find-history.ts';
import { isForPage, type Overdue } from './history-list.ts';
import { exportOutlook, type Invocation } from './invocation.ts';
import { exportCommand } from './next-command.ts';
import { exportOverdue, isOldHistory } from './today-news.ts';
import { type CardFilter, CONTEXT, checkWhere, fieldsOfCards, type OfHistory } from './where.ts';

/** `--since all` is stored as this time: 1970, epoch milliseconds UTC. */
export const EVERYTHING = 0;

/** Every command gets its question and evidence from here, so that a type has the same figures on every screen. */
export interface Inquiry {
  readonly question: Question;
  /** The cards, newest first, and what else the answer is worked out from. */
  readonly evidence: Evidence;
  /** What `/screeners` answered each time that it was asked, oldest first. */
  readonly looks: readonly ScreenersLook[];
  /** The screeners as last looked at, and the time that the history covers. */
  readonly known: KnownScreeners;
  /** Sentences: which cards are left out, and why no verdict has a date. Empty if there is nothing to say. */
  readonly caveats: string;
  /** The sentence of `caveats` that cards of more than 180 days ago are left out; empty if none are. */
  readonly olderLeftOut: string;
  /** Says that the history ended long ago; undefined if it did not, or if the user typed an end. */
  readonly overdue: Overdue | undefined;
}

interface InquiryOptions {
  /** How the cards are grouped and judged, if that differs from the default question. */
  readonly terms?: Partial<Terms>;
  /** Whether cards of any age are read, even without --since. */
  readonly readsAll?: boolean;
  /**
   * Whether a note says that nothing was exported for long. By default only answers that are not pages have the note: a page says
   * it itself (`printPage`).
   */
  readonly notesOverdue?: boolean;
  /** Whether the answer says when a verdict is likely, which depends on what the next exports will buy. */
  readonly foreseesExports?: boolean;
}

/**
 * Reads what answers the question that the options ask.
 * @throws ScreenerError no_history; usage, if cards are chosen by what came later; storage
 */
export async function inquire(
  invocation: Invocation,
  options: OfHistory,
  {
    terms = {},
    readsAll = false,
    notesOverdue = !isForPage(invocation),
    foreseesExports = false,
  }: InquiryOptions = {},
): Promise<Inquiry> {
  const { history } = options;
  const now = invocation.context.clock.now();
  const cardsToRead = cardsToReadFor(options, readsAll, now);
  const { cards, hasOlder } = await readCards(invocation, history, cardsToRead);
  const choice = choiceOfQuestion(cardsToRead, options.since, cards, now);
  const question = questionOf({ ...choice, ...terms });
  const looks = await history.looks();
  const manifest = await history.manifest();
  const until = Math.min(options.until ?? now, endOfHistory(manifest, cards, now));
  const overdue = overdueOf(invocation, options, manifest, until);
  if (notesOverdue && overdue !== undefined) noteOverdue(invocation, overdue);
  const basis = { question, choice, cardsToRead, cards, looks, manifest, now, until };
  const evidence = await readEvidence(invocation, options, basis, foreseesExports);
  const olderLeftOut = options.since === undefined && hasOlder ? OLDER_LEFT_OUT : '';
  // For the caveats --by is always `type`: a question that differs from the default one only in --by has the same caveats.
  const questionByType = questionOf({ ...choice, ...terms, by: 'type' });
  return {
    question,
    evidence,
    looks,
    known: knownScreeners(basis),
    caveats: caveatsOf(invocation, options, {
      question: questionByType,
      findings: evidence.findings,
      olderLeftOut,
    }),
    olderLeftOut,
    overdue,
  };
}

/** Says that the default days leave out cards. */
const OLDER_LEFT_OUT = 'These are the last 180 days; --since all takes every card.';

/** Without --since these are the cards of the last 180 days. */
function cardsToReadFor(
  { since, until, symbol, type, where = [] }: OfHistory,
  readsAll: boolean,
  now: number,
): CardsToRead {
  const usualBegin = readsAll ? EVERYTHING : now - JUDGED_WINDOW;
  return { since: since ?? usualBegin, until, symbol, type, where };
}

/**
 * The cards that the question is about, as the user chose them: the default question has no `since`. If no card is older than 180
 * days, `--since all` takes the same cards as the default question, and is that question.
 * @param since --since
 * @param cards newest first
 */
function choiceOfQuestion(
  cardsToRead: CardsToRead,
  since: number | undefined,
  cards: readonly HistoryCard[],
  now: number,
): CardChoice {
  const oldestCardAt = cards.at(-1)?.at ?? now;
  const isOfDefaultDays = since === EVERYTHING && oldestCardAt > now - JUDGED_WINDOW;
  return { ...cardsToRead, since: isOfDefaultDays ? undefined : since };
}

/** A question and its cards, and what the history says of the screeners and of itself. */
interface Basis {
  readonly question: Question;
  readonly choice: CardChoice;
  readonly cardsToRead: CardsToRead;
  /** Newest first. */
  readonly cards: readonly HistoryCard[];
  readonly looks: readonly ScreenersLook[];
  /** Undefined if no export has written one. */
  readonly manifest: ExportManifest | undefined;
  /** Epoch milliseconds UTC. */
  readonly now: number;
  /** The end of the history, or of the question if that is earlier, epoch milliseconds UTC. */
  readonly until: number;
}

/** Reads what the question is answered from besides its cards: answers of the service, the notebook, the plans of exports. */
async function readEvidence(
  invocation: Invocation,
  options: OfHistory,
  { question, choice, cardsToRead, cards, looks, manifest, now, until }: Basis,
  foreseesExports: boolean,
): Promise<Evidence> {
  const { history } = options;
  const answers = isOfWholeTypes(question) ? await history.serviceAnswers() : [];
  const findings = await readNotebook(history, choice, manifest);
  const outlook = foreseesExports ? await foreseenPurchases(invocation, options) : undefined;
  const end = options.until ?? now;
  return {
    cards,
    answers: answersWithin(answers, { since: cardsToRead.since, until: end }),
    // A sitting is the few days in which exports ask the service for the medians of all types that are due.
    lastAsked: lastSittings(answers, now),
    planned: manifest && sittingsInManifest(manifest),
    ...settingsTimes(looks, options.since, end),
    findings,
    inFocus: typesInFocus(manifest),
    allBoughtBy: outlook?.all_bought_by == null ? undefined : at(outlook.all_bought_by),
    boughtPerDay: outlook?.bought_a_day_then ?? (manifest && outcomesPerDay(manifest)),
    now,
    until,
    dueUntil: dueUntil(manifest, now),
  };
}

/**
 * Since when the settings of each type hold. The cards of a type are those since its settings last changed, unless the user typed
 * a date: then they are all since that date.
 * @param since --since
 * @param end the end of the question, epoch milliseconds UTC
 */
function settingsTimes(
  looks: readonly ScreenersLook[],
  since: number | undefined,
  end: number,
): Pick<Evidence, 'settingsSince' | 'inUseSince'> {
  const hasTypedDate = since !== undefined && since !== EVERYTHING;
  if (hasTypedDate) return { settingsSince: new Map(), inUseSince: new Map() };
  return { settingsSince: presentSettingsSince(looks, end), inUseSince: inUseSince(looks, end) };
}

function knownScreeners({ cards, looks, manifest, now, until }: Basis): KnownScreeners {
  return {
    screeners: looks.at(-1)?.screeners.items ?? [],
    offSince: offSinceByType(looks),
    firstCardAt: cards.at(-1)?.at ?? until,
    until,
    isListed: listedUntil(manifest, now) !== undefined,
    dueAfter: dueAfterIn(manifest),
  };
}

/**
 * What exports will buy.
 * @returns undefined if that is not known: for a history that --from names, for the demo, and without an account
 */
async function foreseenPurchases(
  invocation: Invocation,
  { from }: OfHistory,
): Promise<Outlook | undefined> {
  const { context, globals } = invocation;
  if (from !== undefined || globals.demo) return undefined;
  if (accountLoggedIn(context, globals.baseUrl) === undefined) return undefined;
  return exportOutlook(invocation, await invocation.connect());
}

/**
 * The warning that the history ended long ago.
 * @param until when the history ends, epoch milliseconds UTC
 * @returns the warning; undefined if the history ended a short time ago, if no export has succeeded and keeps it up to date, or if
 *   the user typed an end
 */
function overdueOf(
  invocation: Invocation,
  { from, until: typedEnd }: OfHistory,
  manifest: ExportManifest | undefined,
  until: number,
): Overdue | undefined {
  const now = invocation.context.clock.now();
  const updatedAt = manifest?.last_success ?? null;
  if (typedEnd !== undefined || updatedAt === null || !isOldHistory(until, now)) return undefined;
  const lastExport = { updated_at: updatedAt, covered_until: formatApiTime(until) };
  const item = exportOverdue(lastExport, now, exportCommand(invocation, from));
  return item === undefined ? undefined : { ...item, until };
}

/** Tells people in a note that the history ended long ago. */
export function noteOverdue({ notes, output }: Invocation, { message, command }: Message): void {
  if (output.isForPeople) notes.note(message, ...(command === null ? [] : [command]));
}

/**
 * Until when the history has every card, epoch milliseconds UTC: the end of the list that exports read, or the time of the newest
 * card if that is later (a service may be late with its `until`). If neither is known, it is now.
 * @param cards newest first
 */
function endOfHistory(
  manifest: ExportManifest | undefined,
  cards: readonly HistoryCard[],
  now: number,
): number {
  const endOfList = listedUntil(manifest, now);
  const [newestCard] = cards;
  if (newestCard === undefined) return endOfList ?? now;
  const newestCardAt = Math.min(now, newestCard.at);
  return endOfList === undefined ? newestCardAt : Math.max(endOfList, newestCardAt);
}

/** @returns undefined if no export has judged these cards */
async function readNotebook(
  history: OfHistory['history'],
  choice: CardChoice,
  manifest: ExportManifest | undefined,
): Promise<readonly Finding[] | undefined> {
  if (!isEveryCard(choice)) return undefined;
  const findings = await history.findings();
  // An export that found nothing has judged, too.
  const hasJudged = findings.length > 0 || manifest?.judged_at != null;
  return hasJudged ? findings : undefined;
}

/** What the caveats depend on. */
interface AnswerBasis {
  readonly question: Question;
  /** The notebook; undefined if no export has judged these cards. */
  readonly findings: readonly Finding[] | undefined;
  /** Says that older cards are left out; empty if none are. */
  readonly olderLeftOut: string;
}

function caveatsOf(
  invocation: Invocation,
  { from }: OfHistory,
  { question, findings, olderLeftOut }: AnswerBasis,
): string {
  const sentences: string[] = [];
  if (olderLeftOut !== '') sentences.push(olderLeftOut);
  if (question.kind === 'own') {
    sentences.push(ONE_LOOK);
  } else if (findings === undefined) {
    const command = exportCommand(invocation, from);
    sentences.push(`Verdicts get their dates from the next \`${command}\`.`);
  }
  return sentences.join(' ');
}

/** The caveat of a question that is not the default one. */
const ONE_LOOK =
  'One look at this question; verdicts with a date answer only the default question.';

/** The figures of each type, and how the type stands. @param inquiry one whose question groups the cards by type */
export function judgedTypes({ evidence, question, known }: Inquiry): Judgements {
  const comparison = figuresOf(evidence, question);
  return { comparison, standings: standingsOf(comparison, evidence, known), now: evidence.now };
}

/**
 * Checks the conditions by which a command chooses the cards of its figures. A note says what trying many conditions does.
 * @throws ScreenerError usage, if a condition chooses cards by what came after the trigger
 */
export async function checkConditions(
  notes: Invocation['notes'],
  { history, where = [] }: OfHistory,
): Promise<void> {
  await checkWhere(where, async () => {
    try {
      return (await readNames(history)).numbersAtTrigger;
    } catch {
      // The condition is refused with or without a history.
      return new Set();
    }
  });
  if (where.length > 0)
    notes.note(
      'Values tried by hand are not adjusted for: try ten, and one will look significant by chance.',
    );
}

interface CardsToRead extends CardChoice {
  /** Epoch milliseconds UTC. */
  readonly since: number;
  readonly where: NonNullable<OfHistory['where']>;
}

interface CardsRead {
  /** Newest first. */
  readonly cards: HistoryCard[];
  /** Whether the history has cards from before `since`. */
  readonly hasOlder: boolean;
}

async function readCards(
  { context, notes }: Invocation,
  history: OfHistory['history'],
  choice: CardsToRead,
): Promise<CardsRead> {
  const { where, since, until } = choice;
  await checkConditions(notes, { history, where });
  const progress = notes.progress('Reading the history');
  const cards: HistoryCard[] = [];
  const month = monthOf(since);
  let hasOlder = false;
  try {
    const [firstMonth = month] = await history.months();
    hasOlder = firstMonth < month;
    // The file of a month is read whole in any case, so its cards before `since` cost nothing: they show that there are older ones.
    const wholeMonths = { since: startOfMonth(month), until };
    for await (const datedCards of history.cards(wholeMonths, JSON.parse)) {
      context.signal.throwIfAborted();
      for (const { card, at } of datedCards) {
        if (at < since) {
          hasOlder = true;
          continue;
        }
        const historyCard = historyCardOf(card, at);
        if (isChosen(historyCard, choice)) cards.push(historyCard);
      }
    }
  } finally {
    progress.stop();
  }
  return { cards, hasOlder };
}

/** The names that the cards of a history have. */
interface NamesInHistory {
  readonly symbols: ReadonlySet<string>;
  readonly types: ReadonlySet<string>;
  /** The names of the numbers at the trigger, which only bought cards have. */
  readonly numbersAtTrigger: ReadonlySet<string>;
  /** Types of which no card is bought yet: which numbers at the trigger they have is not known. */
  readonly typesWithoutNumbers: ReadonlySet<string>;
}

async function readNames(history: OfHistory['history']): Promise<NamesInHistory> {
  const symbols = new Set<string>();
  const types = new Set<string>();
  const numbersAtTrigger = new Set<string>();
  const typesWithNumbers = new Set<string>();
  for await (const cards of history.cards({})) {
    for (const { card } of cards) {
      const type = String(card.source_bot_type);
      symbols.add(String(card.source_symbol));
      types.add(type);
      for (const name of Object.keys(card.entry_context ?? {})) {
        numbersAtTrigger.add(name);
        typesWithNumbers.add(type);
      }
    }
  }
  const typesWithoutNumbers = new Set([...types].filter((type) => !typesWithNumbers.has(type)));
  return { symbols, types, numbersAtTrigger, typesWithoutNumbers };
}

/**
 * Says which symbol, number or type of the question no card of the history has, and which ones there are. Where an empty answer
 * may be right, there is only a note, or nothing:
 * - The history has no card: an error for a type, unless the type is configured or no types are known. Nothing otherwise.
 * - No card has the symbol: a note.
 * - No card has the number: an error. It is only a note if the number is like no other, and no card is bought yet of some type
 *   that the question takes: that type may have the number.
 * - No card has the type: an error, unless a screener of that type is configured.
 * @throws ScreenerError usage
 */
export async function explainEmpty({ notes }: Invocation, options: OfHistory): Promise<void> {
  const { history, symbol, type, where = [] } = options;
  const { symbols, types, numbersAtTrigger, typesWithoutNumbers } = await readNames(history);
  const configured = new Set(configuredTypes(await history.looks()));
  if (types.size === 0) {
    const isUnknown = type !== undefined && configured.size > 0 && !configured.has(type);
    if (isUnknown)
      throw usageError(
        unknownNameText(
          `The history has no card yet, and no screener of type '${type}'.`,
          type,
          configured,
        ),
      );
    return;
  }
  if (symbol !== undefined && !symbols.has(symbol))
    notes.note(unknownNameText(`The history has no card of symbol '${symbol}'.`, symbol, symbols));
  const fields = await fieldsOfCards();
  const unknownCondition = where.find(
    ({ field, numberName }) => !fields.has(field) && !numbersAtTrigger.has(numberName),
  );
  if (unknownCondition !== undefined) {
    const { field, numberName } = unknownCondition;
    const guess = didYouMean(numberName, [...fields.keys(), ...numbersAtTrigger]);
    const message = `--where: no card of this history has '${field}'.${guess}`;
    const text = `${message} ${namesText(numbersAtTrigger)}`.trim();
    const isLikeNoOther = guess === '';
    const mayComeYet = [...typesWithoutNumbers].some((name) => matches(name, type));
    if (isLikeNoOther && mayComeYet) notes.note(text);
    else throw usageError(text);
  }
  if (type === undefined || types.has(type) || configured.has(type)) return;
  throw usageError(unknownNameText(`The history has no card of type '${type}'.`, type, types));
}

/**
 * Checks that some card has the number by which cards are sorted. If none of the sorted cards has the number, it is looked for in
 * the whole history. A name that is like no other is no error as long as no card of some type is bought: that type may have the
 * number.
 * @param field a dotted name: `entry_context.funding`
 * @param cards the sorted cards
 * @throws ScreenerError usage, if no card has a number at the trigger of this name
 */
export async function checkThatFieldHasNumbers(
  history: OfHistory['history'],
  field: string,
  cards: readonly object[],
): Promise<void> {
  if (!field.startsWith(CONTEXT)) return;
  const hasNumber = (card: object) => typeof read(card as PlainObject, field) === 'number';
  if (cards.some(hasNumber)) return;
  const numberName = field.slice(CONTEXT.length);
  const { numbersAtTrigger, typesWithoutNumbers } = await readNames(history);
  if (numbersAtTrigger.size === 0 || numbersAtTrigger.has(numberName)) return;
  const guess = didYouMean(numberName, [...numbersAtTrigger]);
  const isLikeNoOther = guess === '';
  if (isLikeNoOther && typesWithoutNumbers.size > 0) return;
  const names = namesText(numbersAtTrigger);
  throw usageError(`--sort: no card of this history has '${field}'.${guess} ${names}`);
}

/** How many names an error lists. */
const MOST_NAMED = 12;

/**
 * Adds to a sentence which name the user may have meant, and which names there are.
 * @param name the name that the history lacks
 * @param names the names that it has
 */
function unknownNameText(sentence: string, name: string, names: ReadonlySet<string>): string {
  return `${sentence}${didYouMean(name, [...names].sort())} ${namesText(names)}`;
}

/** `It has: dump, pump, and 3 more.`; empty if there are no names. */
function namesText(names: ReadonlySet<string>): string {
  if (names.size === 0) return '';
  const sortedNames = [...names].sort();
  const more = sortedNames.length - MOST_NAMED;
  const rest = more > 0 ? `, and ${more} more` : '';
  return `It has: ${sortedNames.slice(0, MOST_NAMED).join(', ')}${rest}.`;
}

/** The fields of an answer that say which cards the user asked for. */
export function askedFor({ type, symbol, since, until }: CardFilter) {
  return {
    scope: 'local_history' as const,
    screener_type: type ?? null,
    symbol: symbol ?? null,
    since: apiTimeOrNull(since),
    until: apiTimeOrNull(until),
  };
}

/** The changes of settings of the chosen types, from the oldest card of the question to the end of the question. */
export function changesWithin({ evidence, looks }: Inquiry, filter: CardFilter): LookWithChanges[] {
  const oldestCard = evidence.cards.at(-1);
  if (oldestCard === undefined) return [];
  return settingsChanges(looks, {
    since: oldestCard.at,
    until: filter.until ?? evidence.now,
    takesType: (type) => isTypeChosen(type, filter),
  });
}
