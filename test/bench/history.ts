import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { byHorizon } from '../../src/api/contract/horizons.ts';
import { DAY } from '../../src/base/units.ts';
import { emptyManifest } from '../../src/history/store/manifest.ts';
import { randomOf, writeCards } from '../support/history.ts';
import { at, measuredDetail, stats } from '../support/samples.ts';

const BETWEEN = (365.25 * DAY) / 12 / 960;
const TYPES = ['price_spike', 'oi_growth', 'volume_burst', 'funding_extreme'];

/** Commands on a history, as they are typed before `--from DIR`. */
export const ON_A_HISTORY = [
  'stats',
  'stats --by type',
  'stats --by symbol',
  'tune',
  'today',
  'screeners',
  'report -',
  'stats --since all',
  'stats --by type --since all',
  'stats --by symbol --since all',
  'tune --since all',
  'report - --since all',
  'signals ls',
  'signals ls --json',
  'signals ls --csv',
  'signals ls --ndjson',
];

/**
 * Writes a complete history as `signals export` would leave it: `count` details up to two days ago, 960 a month, as many
 * as an account can buy, and what the service said of each type every 15 days.
 */
export function writeHistory(directory: string, count: number): void {
  const random = randomOf(7);
  const percent = (spread: number) =>
    Number(((random() + random() + random() - 1.5) * spread).toFixed(4));
  const end = Math.floor(Date.now() / DAY) * DAY - 2 * DAY;
  const times = Array.from(
    { length: count },
    (_, index) => end - Math.round((count - index) * BETWEEN),
  );
  const details = times.map((time, index) => {
    const isMissing = random() < 0.04;
    const card = {
      id: index + 1,
      source_symbol: `COIN${Math.floor(random() * 60)}USDT`,
      source_bot_type: TYPES[Math.floor(random() * TYPES.length)] ?? '',
      created_at: at(time),
      entry_context: { price_change_24h_pct: percent(10), oi_usd: Math.floor(random() * 1e9) },
    };
    return measuredDetail(card, (name) => {
      if (isMissing) return { state: 'missing', move: null, btc: null };
      const spread = name === '24h' ? 12 : 3;
      return { state: 'available', move: percent(spread), btc: percent(spread / 3) };
    });
  });
  writeCards(directory, details);
  const answers: string[] = [];
  for (let askedAt = (times[0] ?? end) + 30 * DAY; askedAt <= end; askedAt += 15 * DAY) {
    const inWindow = details.filter(
      (_, i) => (times[i] ?? 0) > askedAt - 30 * DAY && (times[i] ?? 0) <= askedAt,
    );
    for (const type of TYPES) {
      const sample = inWindow.filter(({ source_bot_type }) => source_bot_type === type).length;
      const medians = () => ({
        median_move_pct: percent(1),
        median_vs_btc_percentage_points: percent(1),
      });
      const horizons = byHorizon(() => ({
        sample,
        pending: 0,
        missing: 0,
        btc_sample: sample,
        ...medians(),
      }));
      const told = stats({
        sampled_rows: sample,
        screener_type: type,
        horizons,
        generated_at: at(askedAt),
      });
      answers.push(`${JSON.stringify({ asked_at: at(askedAt), type, stats: told })}\n`);
    }
  }
  writeFileSync(path.join(directory, 'stats.ndjson'), answers.join(''));
  const manifest = {
    ...emptyManifest('bench'),
    complete: true,
    spans: [{ since: '1970-01-01T00:00:00Z', until: at(end) }],
  };
  writeFileSync(path.join(directory, 'export.json'), JSON.stringify(manifest));
}
