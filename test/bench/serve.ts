/** The stand-in of the service, as a process: prints where it is. Generous, so that it never refuses. */
import { aMinute } from '../support/allowances.ts';
import { startSandbox } from '../support/sandbox.ts';

const { baseUrl, key } = await startSandbox({
  allowances: aMinute(1_000_000),
  dayCredits: 1e8,
  monthCredits: 1e8,
  cards: 1000,
});
process.stdout.write(JSON.stringify({ baseUrl, key }));
