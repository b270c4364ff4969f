import { expect, it } from 'vitest';
import { run as runExport } from '../../src/commands/signals-export.ts';
import { createOutput } from '../../src/output/output.ts';
import { testContext } from '../support/context.ts';
import { cardsAnHourApart, exportInto, invocationOf, Service, temporaryDirectories } from './support.ts';

const directory = temporaryDirectories();

it('the quote of an export is a page for people', async () => {
  const service = new Service({ details: cardsAnHourApart(60) });
  const dir = directory();
  await exportInto(dir, service, { maxCredits: 3 });
  const context = testContext({ width: 80 });
  const invocation = invocationOf({ service, plan: true, format: 'table' });
  const output = createOutput({ context, format: 'table', fields: undefined, notes: invocation.notes, color: false });
  await runExport(
    { ...invocation, context: { ...invocation.context, stdout: context.stdout }, output },
    { directory: dir, outcomes: true, screeners: false, stats: false },
  );
  expect(context.stdout.text).toContain('36 (24 more are not due yet)');
  expect(context.stdout.text).toContain('37 if no new card has come, 147 at most');
});
