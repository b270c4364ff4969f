/** What `today` knows, before any of it is a sentence. */
import * as v from 'valibot';
import { count, described, named, time } from '../../api/contract/primitives.ts';
import type { ReadonlyDeep } from '../../base/readonly-deep.ts';
import { figure } from '../../outcomes/figure.ts';
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
    median_move_pct: described(figure, 'their median move, percent; null below 6 outcomes'),
    btc_sample: described(count, "those for which BTC's move is known too"),
    median_vs_btc_percentage_points: described(
      figure,
      "median of move minus BTC's, percentage points; null below 6",
    ),
  }),
);

const settled = objectByHorizon('outcomes that settled in the last 24 h', settledHorizon);

/** What is not as it should be: no export of late, lost cards, credits or PRO that end soon, a type that fell silent. */
export const UNUSUAL_KINDS = ['export', 'lost', 'credits', 'plan', 'screener'] as const;

/** What the notebook says: a verdict, a number at the trigger, that a type does less or may do less lately, what a change did. */
const NOTEBOOK_KINDS = ['verdict', 'number', 'lately', 'change'] as const;

/** Words of all kinds of news, as the notebook has them; those of types as on every screen. */
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
  at: described(time, 'when it was found or withdrawn, UTC; now for what ends or is silent'),
  kind: described(v.picklist([...NOTEBOOK_KINDS, ...UNUSUAL_KINDS]), 'what it is about'),
  screener_type: described(v.nullable(v.string()), 'screener type; null: of the account'),
  number: described(v.nullable(v.string()), 'number at the trigger; null: not about one'),
  verdict: described(
    v.nullable(v.picklist(NEWS_VERDICTS)),
    'the verdict that it brought, unclear if one was withdrawn; null: none',
  ),
  to_do: described(
    v.nullable(v.picklist(TO_DO)),
    'what its type is worth now, as to_do of stats --by type; null: nothing',
  ),
  message: described(v.string(), 'what happened, and what to do, in sentences'),
  command: described(v.nullable(v.string()), 'the command line that goes with it; null: none'),
});

/** News of a history: something found, withdrawn, or about to end. */
export type NewsItem = ReadonlyDeep<v.InferOutput<typeof newsItem>>;

const shownVerdictName = v.nullable(named('ShownVerdict', v.picklist(SHOWN_VERDICTS)));

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
    possibly_spent: described(count, 'credits left besides, unless failed requests were charged'),
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
  by_type: listOf('the same for each screener type', {
    screener_type: described(v.string(), 'screener type'),
    cards: described(count, 'its cards of the last 24 h'),
    usual: described(v.number(), 'its cards a day, as cards_per_day of stats --by type'),
    settled,
    verdict: described(shownVerdictName, 'the verdict shown after 24 h; null: nothing is measured'),
    to_do: described(
      v.nullable(v.picklist(TO_DO)),
      'what the verdicts mean, as to_do of stats --by type; null: nothing',
    ),
    still_holds: described(
      v.nullable(v.picklist(STILL_HOLDS)),
      'whether cards that came after the verdict show it; not_clear: they cast doubt on it; null: neither above nor below',
    ),
  }),
  biggest_moves: listOf(
    'the largest 24 h moves among the outcomes that settled, at most 10; none if fewer than half are measured',
    {
      ...card,
      move_24h_pct: described(v.number(), 'price move after 24 hours, percent'),
      btc_move_24h_pct: described(figure, "BTC's move over those 24 hours, percent"),
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
      before: described(shownVerdictName, 'the verdict before; null: nothing was measured'),
      verdict: described(shownVerdictName, 'the verdict now'),
      since: described(time, 'since when, UTC'),
      settings_since: described(
        v.nullable(time),
        'its settings changed with it, UTC; null: they did not',
      ),
    },
  ),
  silent: listOf('types switched on, without a card for 14 days, or for unusually long', {
    screener_type: described(v.string(), 'screener type'),
    days: described(count, 'days since its last card'),
  }),
  prospect: nullableObjectOf(
    'what can ever be told, where nothing stands out; null if something does',
    {
      days: described(count, 'days of outcomes that the differences below assume'),
      types: listOf('types that have fewer', {
        screener_type: described(v.string(), 'screener type'),
        would_show_percentage_points: described(
          v.number(),
          'the smallest difference that would show with so many days',
        ),
      }),
      verdict: described(
        shownVerdictName,
        'how all cards together did against BTC; null: nothing is measured',
      ),
      would_show_percentage_points: described(
        figure,
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
