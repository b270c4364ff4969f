/** Servers that are not quite as one would wish: an export goes on, and costs no more than it must. */
import { describe, expect, it } from 'vitest';
import { badAnswer } from '../../src/api/bad-answer.ts';
import { cardsAnHourApart, exportInto, HOUR, Service, stored, temporaryDirectories } from './support.ts';

const directory = temporaryDirectories();
const details = cardsAnHourApart(60);
const due = 36 - 1;

const withOutcome = (dir: string) =>
  stored(dir)
    .filter((card) => 'outcome' in card)
    .map(({ id }) => id);

describe('a card whose detail cannot be had', () => {
  const oldest = Math.min(...details.map(({ id }) => id));
  const broken = [422, 500, badAnswer('response.outcome: missing')] as const;

  it.each(broken)('does not keep the others back, and costs nothing at every run (%s)', async (answer) => {
    const service = new Service({ details });
    service.intercept = (name, params) => (name === 'signal' && params.id === oldest ? answer : undefined);
    const dir = directory();
    const first = await exportInto(dir, service);
    expect(first.error).toBeUndefined();
    expect(first.said.notes.join()).toContain(`No outcome of card ${oldest}, `);
    expect(withOutcome(dir).length).toBeGreaterThanOrEqual(due - 1);
    expect(withOutcome(dir)).not.toContain(oldest);
    const asked = () => service.sent.filter(({ name, params }) => name === 'signal' && params.id === oldest).length;
    expect(asked()).toBe(1);
    const second = await exportInto(dir, service);
    expect(second.error).toBeUndefined();
    expect(asked()).toBe(1);
    // It is asked for again when some time has passed, and had once the server has mended.
    service.intercept = undefined;
    service.clock.sleep(2 * HOUR);
    await exportInto(dir, service);
    expect(withOutcome(dir)).toContain(oldest);
  });
});

describe("the server's clock", () => {
  it('behind this one, and strict about times in its future: every card comes all the same', async () => {
    const service = new Service({ details });
    const behind = 15 * 60_000;
    service.intercept = (name, { until, since }) => {
      const serverNow = service.clock.now() - behind;
      const ahead = [until, since].some((time) => typeof time === 'string' && Date.parse(time) > serverNow);
      return name === 'signals' && ahead ? 422 : undefined;
    };
    const dir = directory();
    const first = await exportInto(dir, service);
    expect(first.error).toBeUndefined();
    expect(stored(dir)).toHaveLength(60);
    const second = await exportInto(dir, service);
    expect(second.error).toBeUndefined();
    expect(stored(dir)).toHaveLength(60);
  });
});

it('counts what a killed run had brought in', async () => {
  const service = new Service({ details });
  const dir = directory();
  let pages = 0;
  service.intercept = (name) => {
    if (name === 'signals') pages += 1;
    return name === 'signals' && pages === 3 ? 503 : undefined;
  };
  const first = await exportInto(dir, service);
  expect(first.summary.new_cards).toBe(50);
  service.intercept = undefined;
  const second = await exportInto(dir, service);
  expect(second.summary.new_cards).toBe(10);
});
