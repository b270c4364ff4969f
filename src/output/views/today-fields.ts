/** What `today` knows, before any of it is a sentence. */
import * as v from 'valibot';
import { count, described, named, time } from '../../api/contract/primitives.ts';
import type { ReadonlyDeep } from '../../base/readonly-deep.ts';
import { numberOrNull } from '../../outcomes/figure.ts';
import { STILL_HOLDS } from '../../outcomes/still-holds.ts';
import { TO_DO } from '../../outcomes/to-do.ts';
import { SHOWN_VERDICTS } from '../../outcomes/types.ts';
import {
  fieldsOf,
  listOf,
  nullableObjectOf,
  objectByHorizon,
  objectOf,
} from '../described-fields.ts';
import type { View } from '../types.ts';
import { focusSchema } from './focus.ts';

const settledHorizon = named(
  'Settled',
  v.object({
    sample: described(count, 'outcomes that settled in the last 24 h'),
    median_move_pct: described(numberOrNull, 'their median move, percent; null below 6 outcomes'),
    btc_sample: described(count, "those for which BTC's move is known too"),
    median_vs_btc_percentage_points: described(
      numberOrNull,
      "median of move minus BTC's, percentage points; null below 6",
    ),
  }),
);

const settled = objectByHorizon('outcomes that settled in the last 24 h', settledHorizon);

/**
 * What is not as it should be, in this order: no export came lately; cards are lost; the credits end soon; PRO ends soon; a type
 * fell silent.
 */
export const UNUSUAL_KINDS = ['export', 'lost', 'credits', 'plan', 'screener'] as const;

/**
 * What the notebook says, in this order: a verdict; a number at the trigger; that a type does less, or may do less, lately; what a
 * change of settings did.
 */
const NOTEBOOK_KINDS = ['verdict', 'number', 'lately', 'change'] as const;

/** The verdicts of all kinds of news. Those of types are as on every screen, the others as in the notebook. */
const NEWS_VERDICTS = [
  ...SHOWN_VERDICTS,
  'higher',
  'lower',
  'less',
  'as_before',
  'in_doubt',
  'cleared',
] as const;

const newsItem = v.object({
  at: described(
    time,
    'when it was found or withdrawn, UTC; if something ends or is silent, the time of this answer',
  ),
  kind: described(v.picklist([...NOTEBOOK_KINDS, ...UNUSUAL_KINDS]), 'what it is about'),
  screener_type: described(v.nullable(v.string()), 'screener type; null: of the account'),
  number: described(v.nullable(v.string()), 'number at the trigger; null: not about one'),
  verdict: described(
    v.nullable(v.picklist(NEWS_VERDICTS)),
    'the new verdict ("unclear" if the old one was withdrawn); null if there is none',
  ),
  to_do: described(
    v.nullable(v.picklist(TO_DO)),
    'what the verdicts of its type mean now, as to_do of stats --by type; null if nothing follows',
  ),
  message: described(v.string(), 'what happened, and what to do, in sentences'),
  command: described(v.nullable(v.string()), 'the command line that goes with it; null: none'),
});

/** News of a history: something found, withdrawn, or about to end. */
export type NewsItem = ReadonlyDeep<v.InferOutput<typeof newsItem>>;

const nullableShownVerdict = v.nullable(named('ShownVerdict', v.picklist(SHOWN_VERDICTS)));

const card = {
  id: described(count, 'id of the card'),
  source_symbol: described(v.string(), 'its symbol'),
  source_bot_type: described(v.string(), 'its screener type'),
  created_at: described(time, 'when it was recorded, UTC'),
};

const todaySchema = v.object({
  generated_at: described(time, 'when it was computed, UTC'),
  history: objectOf('the history it is read from', {
    directory: described(v.string(), 'its directory'),
    cards: described(count, 'cards in it'),
    updated_at: described(v.nullable(time), 'when the last export succeeded, UTC; null for never'),
    covered_until: described(time, 'when it ends, UTC: last_24h counts back from then'),
    outcomes_due: described(count, 'outcomes that could be bought now'),
  }),
  credits: nullableObjectOf('as recorded on this machine; null if nothing is recorded', {
    remaining: described(count, 'credits left this month for certain'),
    possibly_spent: described(
      count,
      'further credits that are left if failed requests were not charged',
    ),
    limit: described(count, 'credits allowed a month'),
    resets_at: described(time, 'when they reset, UTC'),
    known_at: described(time, 'when /access was last asked, UTC'),
    spent_today: described(count, 'spent today by this machine, those possibly charged included'),
    possibly_spent_today: described(count, 'of these: only possibly charged, as requests failed'),
    day_limit: described(
      v.nullable(count),
      "most that may be spent today: the service's limit, or SCREENER_DAILY if that is lower; null if neither is known",
    ),
    plan_ends_at: described(v.nullable(time), 'when the plan ends, UTC; null: not known'),
    gone_at: described(v.nullable(time), 'when they are gone, UTC; null: not before the reset'),
    last: described(v.boolean(), 'whether they last until the reset'),
    forecast: described(
      v.nullable(v.string()),
      'the same as a sentence, with the rate; null if no rate is known',
    ),
  }),
  cards: objectOf('cards', {
    last_24h: described(count, 'cards of the last 24 h'),
    usual: described(v.number(), 'cards a day, of all types that send cards'),
  }),
  newest: described(v.array(v.object(card)), 'the newest cards of the last 24 h, at most 10'),
  settled,
  by_type: listOf('cards and outcomes of the last 24 h, and the verdict, for each screener type', {
    screener_type: described(v.string(), 'screener type'),
    cards: described(count, 'its cards of the last 24 h'),
    usual: described(v.number(), 'its cards a day, as cards_per_day of stats --by type'),
    settled,
    verdict: described(
      nullableShownVerdict,
      'the verdict shown after 24 h; null: nothing is measured',
    ),
    to_do: described(
      v.nullable(v.picklist(TO_DO)),
      'what the verdicts mean, as to_do of stats --by type; null if nothing follows',
    ),
    still_holds: described(
      v.nullable(v.picklist(STILL_HOLDS)),
      'whether cards after the verdict still show it (not_clear: they cast doubt on it); null if the verdict is neither above nor below',
    ),
  }),
  biggest_moves: listOf(
    'the largest 24 h moves among the outcomes that settled, at most 10; none if fewer than half are measured',
    {
      ...card,
      move_24h_pct: described(v.number(), 'price move after 24 hours, percent'),
      btc_move_24h_pct: described(numberOrNull, "BTC's move over those 24 hours, percent"),
    },
  ),
  news: described(
    v.array(newsItem),
    'what was found, withdrawn, or is about to end: of seven days, oldest first',
  ),
  verdicts_changed: listOf(
    'verdicts of screener types after 24 h that changed in the last seven days',
    {
      screener_type: described(v.string(), 'screener type'),
      before: described(nullableShownVerdict, 'the verdict before; null: nothing was measured'),
      verdict: described(nullableShownVerdict, 'the verdict now'),
      since: described(time, 'since when, UTC'),
      settings_since: described(
        v.nullable(time),
        'when its settings changed, if the verdict changed because of that, UTC; else null',
      ),
    },
  ),
  silent: listOf('types that are switched on, but had no card for 14 days, or for unusually long', {
    screener_type: described(v.string(), 'screener type'),
    days: described(count, 'days since its last card'),
  }),
  prospect: nullableObjectOf(
    'which differences more days could show; null if some type stands out already',
    {
      days: described(count, 'days of outcomes that the differences of these types assume'),
      types: listOf('types with fewer days of outcomes than that', {
        screener_type: described(v.string(), 'screener type'),
        would_show_percentage_points: described(
          v.number(),
          'the smallest difference that would show with so many days',
        ),
      }),
      verdict: described(
        nullableShownVerdict,
        'how all cards together did against BTC; null: nothing is measured',
      ),
      would_show_percentage_points: described(
        numberOrNull,
        'the smallest difference of all cards that would show now; null if there is none',
      ),
    },
  ),
  scarcity: nullableObjectOf(
    'what is left out where fewer than a quarter of the outcomes are bought; null if more are',
    {
      cards_per_day: described(v.number(), 'outcomes that come due a day'),
      bought_per_day: described(v.number(), 'outcomes bought a day'),
      without_medians: described(
        v.array(v.string()),
        'types whose medians the service was not asked for',
      ),
      focus: focusSchema,
    },
  ),
  unusual: listOf('what is not as it should be', {
    kind: described(v.picklist(UNUSUAL_KINDS), 'what it is about'),
    screener_type: described(v.nullable(v.string()), 'of kind screener: its type'),
    message: described(v.string(), 'a sentence'),
    command: described(v.nullable(v.string()), 'the command line that goes with it; null: none'),
  }),
});

export type Today = ReadonlyDeep<v.InferOutput<typeof todaySchema>>;

export const todayFields = fieldsOf(todaySchema);

/** `today --changes`: a list of news. */
export const changesView: View<NewsItem> = { fields: fieldsOf(newsItem) };
