import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { alternate, figure, ratio, runOnce } from './measure.js';
import { has } from './peers.js';
import { screener, startService } from './service.js';
import { ms, table, times } from './table.js';

/** One page of cards as NDJSON from loopback, ledger on, against the scripts a user would write instead. */
export async function requestBench({ rounds, say, folder, node, major }) {
  const target = { 20: 0.65, 22: 1.15 }[major] ?? 1.1;
  const { baseUrl, key, stop } = await startService({ cards: 1000 });
  try {
    const script = path.join(folder, 'fetch.mjs');
    fs.writeFileSync(
      script,
      `const answer = await fetch('${baseUrl}/signals?limit=25', { headers: { authorization: 'Bearer ${key}' } });
const { response } = await answer.json();
for (const card of response.items) console.log(JSON.stringify(card));
`,
    );
    const home = (name) => ({
      SCREENER_STATE_DIR: path.join(folder, name, 'state'),
      SCREENER_CONFIG_DIR: path.join(folder, name, 'config'),
    });
    const given = { ...home('given'), SCREENER_BASE_URL: baseUrl, SCREENER_API_KEY: key };
    const saved = home('saved');
    execFileSync(node, [screener, 'login', '-q', '--base-url', baseUrl], {
      input: key,
      env: { ...process.env, ...saved },
    });
    // The allowance is what /access last said.
    execFileSync(node, [screener, 'access', '-q', '--json'], { env: { ...process.env, ...given }, stdio: 'pipe' });

    const list = [node, screener, 'signals', 'ls', '--ndjson', '-q'];
    const url = `${baseUrl}/signals?limit=25`;
    const peers = [
      { name: 'three lines of fetch', argv: [node, script] },
      {
        name: 'HTTPie | jq',
        sh: `http --ignore-stdin GET '${url}' 'Authorization: Bearer ${key}' | jq -c '.response.items[]'`,
        needs: ['http', 'jq'],
      },
      {
        name: 'curl | jq',
        sh: `curl -s -H 'Authorization: Bearer ${key}' '${url}' | jq -c '.response.items[]'`,
        needs: ['curl', 'jq'],
      },
    ];
    const absent = peers.filter(({ needs = [] }) => !needs.every(has));
    const there = peers.filter((peer) => !absent.includes(peer));
    const ours = [
      { name: 'screener, key from the environment', argv: list, env: given, targets: [target] },
      { name: 'screener, key saved by login', argv: list, env: saved, targets: [target + 0.15] },
    ];
    const subjects = [...ours, ...there];
    const samples = await alternate(subjects, rounds);
    say('One page of 25 cards as NDJSON from loopback; CPU (target) and wall against each script');
    say(
      table(
        ['', 'wall', 'CPU', ...there.map((peer) => peer.name)],
        subjects.map((subject, i) => [
          subject.name,
          ms(figure(samples[i], 'wall')),
          ms(figure(samples[i], 'cpu')),
          ...there.map((_, column) => {
            const [cpu, wall] = ['cpu', 'wall'].map((one) =>
              times(ratio(samples[i], samples[ours.length + column], one)),
            );
            const aim = subject.targets?.[column];
            return `${cpu}${aim === undefined ? '' : ` (${aim.toFixed(2)})`}, ${wall}`;
          }),
        ]),
      ),
    );
    for (const { name, needs } of absent) say(`skipped: ${name} (needs ${needs.join(' and ')})`);

    const formats = [
      { name: 'signals ls --ndjson', argv: list, env: given },
      { name: 'signals ls, a table', argv: [node, screener, 'signals', 'ls', '-q'], env: given, target: 1.3 },
      { name: 'access, a table', argv: [node, screener, 'access', '-q'], env: given, target: 1.3 },
    ];
    const drawn = await alternate(formats, rounds);
    say(
      `\n${table(
        ['The same page drawn, and the account', 'wall', 'CPU', 'CPU ratio', 'target'],
        formats.map(({ name, target }, i) => [
          name,
          ms(figure(drawn[i], 'wall')),
          ms(figure(drawn[i], 'cpu')),
          times(ratio(drawn[i], drawn[0], 'cpu')),
          target ?? '',
        ]),
      )}\n`,
    );

    const all = { name: '--all', argv: [node, screener, 'signals', 'ls', '--all', '--ndjson', '-q'], env: given };
    const whole = await runOnce(all);
    say(
      `1,000 cards through --all (40 requests): ${ms(whole.wall)} wall, ${ms(whole.cpu)} CPU, ${whole.peak.toFixed(0)} MiB\n`,
    );
  } finally {
    stop();
  }
}
