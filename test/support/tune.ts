/** What `tune` answers about a number, to render. */
import type { NumberQuestion } from '../../src/outcomes/tune-types.ts';

/** Of a number that was tested, and does not tell. */
const TESTED: NumberQuestion = {
  type: 'a',
  key: 'x',
  absolute: false,
  horizon: '24h',
  cards: 100,
  days: 40,
  symbols: 20,
  correlation: 0.01,
  correlation_interval_95: { low: -0.1, high: 0.1 },
  p: 0.9,
  p_holm: 1,
  verdict: 'unclear',
  too_little: null,
  verdict_since: null,
  would_show: 0.2,
  would_show_percentage_points: 1.84,
  needs: null,
  needed: null,
  enough_by: null,
  focus_brings_by: null,
};

export function questionAt(more: Partial<NumberQuestion> = {}): NumberQuestion {
  return { ...TESTED, ...more };
}
