import { expect, it } from 'vitest';
import { createRenderContext, makeRenderContext } from '../../../src/output/table/render-context.ts';
import { plainStyles } from '../../../src/output/terminal.ts';
import { MemorySink, TestClock, testContext } from '../../support/context.ts';

it('time and width are those of the moment: a watch goes on for hours, and terminals are resized', async () => {
  const clock = new TestClock();
  const context = testContext({ clock });
  let columns = 100;
  const stdout = Object.defineProperty(new MemorySink(100), 'columns', { get: () => columns });
  const render = await createRenderContext({ ...context, stdout }, undefined);
  const [before, { width }] = [render.now, render];
  await clock.sleep(3_600_000);
  columns = 60;
  expect([width, render.width]).toEqual([100, 60]);
  expect(render.now - before).toBe(3_600_000);
});

it('keeps the lines of a text that is broken already', () => {
  const render = makeRenderContext({ width: 9, now: 0, styles: plainStyles, unicode: true });
  expect(render.paragraph('one two\nthree four')).toBe('one two\nthree\nfour');
});
