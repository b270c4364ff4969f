/** One export run, step by step: newest cards, outcomes, settings and medians, older cards. */
import { askAccess } from '../../credits/reserve.ts';
import { ScreenerError } from '../../errors.ts';
import { cardsIn } from '../store/manifest.ts';
import { mendDamage } from './check.ts';
import { conclude, summaryLines, summarySentence } from './conclude.ts';
import { Listing, OLDER_PAGES } from './listing.ts';
import { Others } from './others.ts';
import { planRun } from './plan.ts';
import { Purchases } from './purchases.ts';
import { RunBar } from './run-bar.ts';
import type { Exporter, ExportOptions, RunTools, StoppedBy } from './run-tools.ts';
import { type WorkingHistory, withLockedHistory } from './working-history.ts';

interface HistoryOptions extends ExportOptions {
  readonly directory: string;
  /** Whose it is: the account's id, or another name for it. */
  readonly owner: string;
  readonly adopt?: boolean;
}

/**
 * @returns what it did, also as lines and as a sentence for people; and what ended it, if no budget did: to be thrown after the summary
 * @throws ScreenerError busy, usage, storage
 */
export function runExport(exporter: Exporter, { directory, owner, adopt, ...options }: HistoryOptions) {
  const work = (history: WorkingHistory) => new Run(exporter, history, options).export();
  return withLockedHistory(directory, owner, exporter.context, work, adopt);
}

class Run {
  readonly #tools: RunTools;
  readonly #options: ExportOptions;
  readonly #context: Exporter['context'];
  readonly #listing: Listing;
  readonly #purchases: Purchases;
  readonly #others: Others;
  readonly #isFirst: boolean;

  constructor({ connection, context, notes }: Exporter, history: WorkingHistory, options: ExportOptions) {
    this.#tools = { ...connection, history, notes, bar: new RunBar(notes, connection.account) };
    this.#options = options;
    this.#context = context;
    this.#isFirst = history.manifest.spans.length === 0;
    this.#listing = new Listing(this.#tools, options.since);
    this.#purchases = new Purchases(this.#tools, { ...options, isFirst: this.#isFirst });
    this.#others = new Others(this.#tools);
  }

  async export() {
    const { account, bar, history } = this.#tools;
    const { clock, signal } = this.#context;
    const started = clock.now();
    const cardsBefore = cardsIn(history.manifest);
    await mendDamage(this.#tools);
    // A disk that is still full is noticed before anything is paid for.
    if (history.isResumed) await history.fold();
    account.gate.lock = history.lock;
    account.gate.isFirstExport = this.#isFirst;
    let stoppedBy: StoppedBy | null;
    let failure: unknown;
    try {
      stoppedBy = await this.#work();
    } catch (error) {
      if (error instanceof ScreenerError && error.code === 'budget_reached') {
        stoppedBy = account.left().limit;
      } else {
        stoppedBy = signal.aborted ? 'interrupted' : 'error';
        failure = error;
      }
    } finally {
      bar.hide();
      // Later requests of this process are not part of the run.
      account.gate.lock = undefined;
    }
    failure ??= this.#listing.failure;
    if (failure !== undefined && stoppedBy !== 'interrupted') stoppedBy = 'error';
    const parts = { listing: this.#listing, purchases: this.#purchases, others: this.#others };
    const concluded = await conclude(this.#tools, parts, {
      cardsBefore,
      took: clock.now() - started,
      stoppedBy,
      failure,
    });
    const lines = summaryLines(concluded);
    return { summary: concluded.summary, lines, sentence: summarySentence(lines), failure };
  }

  /** @returns what ended it before all was done */
  async #work(): Promise<StoppedBy | null> {
    const { account, bar, client, history, notes } = this.#tools;
    const listing = this.#listing;
    await askAccess(this.#tools, notes);
    if (this.#isFirst) {
      const { dayLeft, monthLeft } = account.known();
      const ofMonth = monthLeft === undefined ? '' : ` (${monthLeft} this month)`;
      const most = `up to ${account.left().credits} of the ${dayLeft} credits left today${ofMonth}`;
      notes.note(`This first export may cost ${most}; limit it with --max-credits N.`);
    }
    if (!(await listing.bringUpToDate())) return account.left().limit;
    const plan = () => planRun(account, history, this.#options, client.now());
    const first = await plan();
    bar.later = first.others.types.length + Number(first.others.screeners);
    const hasOlder = listing.missing !== undefined;
    const olderPages = hasOlder && (!this.#isFirst || this.#options.since !== undefined) ? OLDER_PAGES : 0;
    let ended = await this.#purchases.buyDue(first, first.others.credits + olderPages);
    await this.#others.ask(first.others);
    if (hasOlder) {
      const isAll = await listing.fillGaps(ended === null ? {} : { most: olderPages });
      if (!isAll && account.left().credits < 1) return account.left().limit;
    }
    ended = await this.#purchases.buyDue(await plan(), 0);
    if (ended !== null || listing.isDone) return ended;
    return listing.missing === undefined ? 'window' : 'older';
  }
}
