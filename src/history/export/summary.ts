/** What a run did and what is left, as data. The words for it are in `output/views/export-summary.ts`. */
import type { PartFailure, PartName } from '../store/part-states.ts';
import type { StoppedBy } from './export-run.ts';
import type { NotAsked } from './not-asked.ts';
import type { Outlook } from './outlook.ts';
import type { BoughtOutcomes, OutcomeCounts } from './survey.ts';

/** How a part of the export stands at the end of a run. */
export interface PartSummary {
  /** Whether the history has all that the service had for the part. */
  readonly complete: boolean;
  /** Null if the part last succeeded. */
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

/** The end of a run, for the user. */
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
  /** Outcomes bought. */
  readonly outcomes: number;
  /** Cards that this run found to be gone: the service no longer has them. */
  readonly gone: number;
  /** Cards whose details could not be had in this run. */
  readonly failed_cards: number;
  /** Screener types whose medians this run got. */
  readonly medians: number;
  /** Credits of this run. `uncertain` are those of requests that failed: the service may have charged them. */
  readonly credits: { readonly charged: number; readonly uncertain: number };
  /** Cards in the history. */
  readonly cards_total: number;
  /** The newest part of the list that was read without a gap; API times. Null until the list is read. */
  readonly covered: { readonly since: string; readonly until: string } | null;
  /** Later runs list cards before this API time; null if nothing older is missing. */
  readonly older_before: string | null;
  readonly remaining: RemainingWork;
  /** How many outcomes are due, bought, and to come later. */
  readonly counts: OutcomeCounts;
  /** How many of the due outcomes are bought, by type and day. */
  readonly bought: BoughtOutcomes;
  /** What later runs buy; null with --no-outcomes, and if `/access` was never asked. */
  readonly outlook: Outlook | null;
  readonly parts: Readonly<Record<PartName, PartSummary>>;
  /** Null if this run read the list. Otherwise the API time from which it is worth reading. */
  readonly list_at: string | null;
  /** Types of --focus that no card and no screener has. */
  readonly unknown_focus: readonly string[];
  /** What this run did not ask for, why, and whether a later run will. */
  readonly not_asked: readonly NotAsked[];
}
