/** A reader that has gone: whoever writes hears of it, so that nothing more is asked for, and nothing paid. */
import { describe, expect, it } from 'vitest';
import { OutputClosed } from '../../src/errors.ts';
import { FORMAT_NAMES } from '../../src/output/formats.ts';
import type { Output } from '../../src/output/output.ts';
import { cardView } from '../../src/output/views/card-lists.ts';
import { detailView } from '../../src/output/views/card-page.ts';
import type { TestContextOptions } from '../support/context.ts';
import { card, detail } from '../support/samples.ts';
import { outputTo, pagesOf } from './written.ts';

const PLACES: readonly (TestContextOptions & { readonly place: string })[] = [
  { place: 'a pipe' },
  { place: 'a terminal', width: 80, height: 40 },
];
const GRID = FORMAT_NAMES.flatMap((format) => PLACES.map((place) => ({ format, ...place })));

interface Writing {
  readonly what: string;
  write(output: Output): Promise<void>;
}

const WRITINGS: readonly Writing[] = [
  { what: 'a resource', write: (output) => output.one(detailView, detail()) },
  { what: 'a list', write: (output) => output.list(cardView, pagesOf([[card()]])) },
  { what: 'a page', write: (output) => output.page(() => 'text') },
];
const EMPTY_LIST: Writing = {
  what: 'an empty list',
  write: (output) => output.list(cardView, pagesOf([[]])),
};

describe.each(GRID)('$format in $place', ({ format, place: _, ...options }) => {
  // The others write nothing then.
  const writesEmptyList = format === 'json' || format === 'csv';
  it.each(writesEmptyList ? [...WRITINGS, EMPTY_LIST] : WRITINGS)(
    'fails with $what',
    async ({ write }) => {
      const { context, output } = outputTo(format, options);
      context.stdout.closed = true;
      await expect(write(output)).rejects.toThrow(OutputClosed);
    },
  );
});
