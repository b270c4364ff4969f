import { alternate, figure, ratio } from './measure.js';
import { screener } from './service.js';
import { ms, table, times } from './table.js';

/** What a shell or a prompt calls in loops, against an empty Node process. */
export async function startBench({ rounds, say, folder, node, major }) {
  const newer = major >= 22;
  const env = { SCREENER_STATE_DIR: folder, SCREENER_CONFIG_DIR: folder };
  const subjects = [
    { name: 'node -e 0', argv: [node, '-e', '0'] },
    { name: '--version', argv: [node, screener, '--version'], target: newer ? 1.3 : 1.2, env },
    {
      name: 'completion of a word',
      argv: [node, screener, 'complete', 'signals', 'ls', '--symbol', 'B'],
      target: 1.3,
      env,
    },
    { name: '--help', argv: [node, screener, '--help'], target: newer ? 1.35 : 1.4, env },
  ];
  const samples = await alternate(subjects, rounds);
  say('Start, against node -e 0');
  say(
    table(
      ['', 'CPU', 'ratio', 'target', 'wall', 'ratio', 'peak'],
      subjects.map(({ name, target }, i) => [
        name,
        ms(figure(samples[i], 'cpu')),
        times(ratio(samples[i], samples[0], 'cpu')),
        target ?? '',
        ms(figure(samples[i], 'wall')),
        times(ratio(samples[i], samples[0], 'wall')),
        `${figure(samples[i], 'peak').toFixed(0)} MiB`,
      ]),
    ),
  );
  say('');
}
