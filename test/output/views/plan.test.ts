/** The page of `--plan`: what a command would cost and send. */
import { describe, expect, it } from 'vitest';
import { type Plan, planView, type Range } from '../../../src/output/views/plan.ts';
import { outputTo } from '../written.ts';

const exactly = (count: number): Range => ({ least: count, most: count });
const atLeast = (least: number): Range => ({ least, most: null });

const PLAN: Plan = {
  credits: exactly(1),
  requests: exactly(1),
  pages: exactly(0),
  pacing_seconds: exactly(0),
  max_credits: null,
  credits_left: 900,
  possibly_spent: 0,
  credits_left_at: '2026-11-20T17:00:00Z',
  spent_today: 3,
  possibly_spent_today: 0,
  day_limit: 150,
  daily_budget: null,
  stops_at: null,
  more_from: null,
};

/** The lines of the page by their labels. */
async function linesOf(plan: Partial<Plan>): Promise<Record<string, string>> {
  const { context, output } = outputTo('table');
  await output.one(planView, { ...PLAN, ...plan });
  const lines = context.stdout.text.trimEnd().split('\n');
  return Object.fromEntries(lines.map((line) => line.split(/ {2,}/)));
}

describe('requests', () => {
  it.each([
    { requests: exactly(6), pages: exactly(0), text: '6' },
    { requests: exactly(6), pages: exactly(1), text: '6, of these 1 for pages of cards' },
    { requests: exactly(1), pages: exactly(1), text: '1' },
    { requests: atLeast(1), pages: atLeast(1), text: '1 or more' },
    {
      requests: { least: 2, most: 31 },
      pages: { least: 1, most: 30 },
      text: '2 to 31, of these 1 to 30 for pages of cards',
    },
  ])('$text', async ({ requests, pages, text }) => {
    expect(await linesOf({ requests, pages })).toMatchObject({ Requests: text });
  });
});

describe('credits', () => {
  it.each([
    {
      why: 'all pages of a list',
      plan: { credits: atLeast(1), pages: atLeast(1) },
      text: '1 or more, known only at the last page',
    },
    {
      why: 'what pages do not bound',
      plan: { credits: atLeast(1), pages: exactly(1) },
      text: '1 or more',
    },
    { why: 'pages that are free', plan: { credits: exactly(1), pages: atLeast(1) }, text: '1' },
    {
      why: 'a ceiling',
      plan: { credits: atLeast(1), pages: atLeast(1), max_credits: 5 },
      text: '1 or more (--max-credits 5)',
    },
  ])('$why: $text', async ({ plan, text }) => {
    expect(await linesOf(plan)).toMatchObject({ Credits: text });
  });
});
