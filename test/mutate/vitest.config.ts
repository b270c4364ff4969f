import { readFileSync } from 'node:fs';
import { mergeConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import config from '../../.config/vitest.config.ts';

/** Test files, the quickest first, as the run before any mutation measured them. */
const order: readonly string[] = JSON.parse(
  readFileSync(new URL('./order.json', import.meta.url), 'utf8'),
);

/** Most mutations turn a quick test red, and the first red test ends the run. */
class QuickestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification) =>
      order.findIndex((file) => moduleId.endsWith(file));
    return files.toSorted((a, b) => placeOf(a) - placeOf(b));
  }
}

export default mergeConfig(config, { test: { sequence: { sequencer: QuickestFirst } } });
