/** What a run did and what is left: data alone, the words for it are in `output/views/export-summary.ts`. */
import { LIMITS } from '../../api/limits.ts';
import type { PartFailure, PartName } from '../store/part-states.ts';
import type { NotAsked } from './not-asked.ts';
import type { StoppedBy } from './session.ts';
import type { OutcomeCounts, OutcomeShare } from './survey.ts';

/** Pages for older cards while outcomes wait: a third of a day's credits. */
export const OLDER_PAGES = LIMITS.creditsPerDay / 3;

/** How a part of the export stands at the end of a run. */
export interface PartSummary {
  /** Whether all of it is here that could be had. */
  readonly complete: boolean;
  /** Null if it is well. */
  readonly failure: PartFailure | null;
}

/** What is left to do. */
export interface RemainingWork {
  /** Whether a part of the list is still to be read. */
  readonly list: boolean;
  /** Outcomes that could be bought now. */
  readonly outcomes_due: number;
  /** Outcomes that can be bought later. */
  readonly outcomes_later: number;
}

export interface ExportSummary {
  readonly directory: string;
  /** Whether every part is complete. */
  readonly complete: boolean;
  /** What ended the run before all was done; null if nothing did. */
  readonly stopped_by: StoppedBy | null;
  /** Pages of the list that were received. */
  readonly pages: number;
  /** Cards that the history did not have before. */
  readonly new_cards: number;
  /** Cards of the list that do not match the API document: they are not kept. */
  readonly bad_cards: number;
  /** Details bought. */
  readonly outcomes: number;
  /** Cards that the service no longer has. */
  readonly gone: number;
  /** Cards whose details could not be had in this run. */
  readonly failed_cards: number;
  /** Screener types whose medians were asked for. */
  readonly medians: number;
  /** Credits of this run; `uncertain`: of requests that failed, and may count. */
  readonly credits: { readonly charged: number; readonly uncertain: number };
  readonly cards_total: number;
  /** The newest window of which every card is here, API times; null until the list is read. */
  readonly covered: { readonly since: string; readonly until: string } | null;
  /** Cards before this API time come in later runs; null if there are none. */
  readonly older_before: string | null;
  readonly remaining: RemainingWork;
  readonly counts: OutcomeCounts;
  readonly bought: OutcomeShare;
  readonly parts: Readonly<Record<PartName, PartSummary>>;
  /** API time from which on the list is worth reading, where this run left it; null if it was read. */
  readonly list_at: string | null;
  /** Types to buy first that no card and no screener has. */
  readonly unknown_focus: readonly string[];
  /** What later runs ask for, or none does, and why. */
  readonly not_asked: readonly NotAsked[];
}
