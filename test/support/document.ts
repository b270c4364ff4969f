/**
 * Part 2 of the API document as a table: every field with its type, range and nullability. Copied from the document by
 * hand, so that the program's schemas are held against it and not against themselves. A key may name several fields.
 *
 * `integer a..b` a range; a trailing `?` nullable; `[X]` a list; a capital letter another row of this table; `= a|b`
 * the allowed values, of which others are a warning only; `optional` before it: a service may leave it out.
 */
export const DOCUMENT = {
  Access: {
    beta: 'boolean',
    plan: 'string = PRO',
    expires_at: 'time',
    credits: 'Credits',
    operations: '[string]',
    per_minute: 'integer 0..',
  },
  Credits: { 'used limit remaining': 'integer 0..', resets_at: 'time' },
  MarketSnapshot: {
    scope: 'string = platform',
    timeframe: 'string = day',
    'sample oversold_count overbought_count': 'integer 0..',
    'sample_limited source_stale stale': 'boolean',
    computed_at: 'time ?',
    generated_at: 'time',
    source: 'string',
  },
  Screeners: { scope: 'string = current_settings', items: '[ScreenerItem]' },
  ScreenerItem: { type: 'string', active: 'boolean', conditions: 'object' },
  SignalCard: {
    id: 'integer 1..',
    'source_symbol source_bot_type url': 'string',
    'exchanges changes': '[string]',
    created_at: 'time',
    last_seen_at: 'time ?',
    repeat_count: 'integer 0..',
    url_scope: 'string = filtered_notification_history',
    facts_scope: 'string = latest_episode_update',
    'fact_price_pct fact_oi_pct fact_volume_pct': 'number ?',
    'fact_window_min fact_funding fact_oi_usd fact_volume_usd': 'number ?',
  },
  SignalPage: {
    scope: 'string = own_recorded_notifications',
    items: '[SignalCard]',
    next_cursor: 'string ?',
    'since until': 'time',
  },
  Outcome: {
    entry_at: 'time',
    entry_price: 'number',
    'state_1h state_24h': 'string = pending|missing|available',
    'move_1h_pct move_24h_pct btc_move_1h_pct btc_move_24h_pct': 'number ?',
  },
  SignalDetail: {
    '...': 'SignalCard',
    outcome: 'Outcome ?',
    entry_context: 'numbers',
    context_scope: 'string = entry_snapshot',
  },
  Horizon: {
    'sample pending missing btc_sample': 'integer 0..',
    'median_move_pct median_vs_btc_percentage_points': 'number ?',
  },
  Horizons: { '1h 24h': 'Horizon' },
  SignalStats: {
    scope: 'string = own_recorded_outcomes',
    window_days: 'integer = 30',
    sampled_rows: 'integer 0..2000',
    'sample_limited stale': 'boolean',
    screener_type: 'string',
    horizons: 'Horizons',
    generated_at: 'time',
  },
} as const satisfies Record<string, Record<string, string>>;

export type ResourceName = keyof typeof DOCUMENT;

export type DocumentedField = ReturnType<typeof readField>;

export function fieldsOf(resource: ResourceName): DocumentedField[] {
  return Object.entries(DOCUMENT[resource]).flatMap(([names, text]) =>
    names === '...'
      ? fieldsOf(text as ResourceName)
      : names.split(' ').map((name) => readField(name, text)),
  );
}

/** The steps to a value in a resource: names of fields, and places in lists. */
export type Path = readonly (string | number)[];

/** Every field of a resource and of those in it; of a list the second element. */
export function placesOf(
  resource: ResourceName,
  at: Path = [],
): { path: Path; field: DocumentedField }[] {
  return fieldsOf(resource).flatMap((field) => {
    const path = [...at, field.name];
    const inner = field.type.replace(/^\[|\]$/g, '');
    const below = field.type.startsWith('[') ? [...path, 1] : path;
    return [{ path, field }, ...(inner in DOCUMENT ? placesOf(inner as ResourceName, below) : [])];
  });
}

/** `response.items[1].id` */
export function spelled(path: Path): string {
  return path.reduce<string>(
    (text, step) => text + (typeof step === 'number' ? `[${step}]` : `.${step}`),
    'response',
  );
}

/** The fields of the document that a resource lacks, also those that a service may leave out. */
export function missingIn(value: object, resource: ResourceName): string[] {
  const isMissing = (path: Path) => {
    const found = path.reduce<unknown>(
      (holder, step) => (holder as Record<string, unknown>)[step],
      value,
    );
    return found === undefined;
  };
  return placesOf(resource)
    .filter(({ path }) => isMissing(path))
    .map(({ path }) => spelled(path));
}

function readField(name: string, text: string) {
  const [declared = '', allowed] = text.split(' = ');
  const [type = '', range] = declared.replace(/^optional | \?/g, '').split(' ');
  const [least, most] = range?.split('..') ?? [];
  return {
    name,
    type,
    nullable: declared.endsWith(' ?'),
    optional: declared.startsWith('optional '),
    least: least ? Number(least) : undefined,
    most: most ? Number(most) : undefined,
    allowed: allowed?.split('|'),
  };
}
