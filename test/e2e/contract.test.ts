/** Part 2 of the document, field by field: what it allows is kept, anything else is an error that names the field. */
import { describe, expect, test } from 'vitest';
import { isSuccess } from '../fuzz/document.ts';
import { hasInfinity, readExactly } from '../fuzz/mutate.ts';
import { DOCUMENT, type DocumentedField, fieldsOf, type ResourceName } from '../support/document.ts';
import { errorLine } from '../support/fixtures.ts';
import { createHome } from '../support/home.ts';
import { runHere } from '../support/in-process.ts';
import * as samples from '../support/samples.ts';
import { ApiServer, ok } from '../support/server.ts';

/** One command for each resource, with an answer in which every nested resource occurs. */
const ROOTS: readonly { root: ResourceName; args: string[]; path: string; sample: samples.Json }[] = [
  { root: 'Access', args: ['access'], path: '/access', sample: samples.access() },
  { root: 'MarketSnapshot', args: ['snapshot'], path: '/market-snapshot', sample: samples.snapshot() },
  { root: 'Screeners', args: ['screeners'], path: '/screeners', sample: samples.screeners() },
  {
    root: 'SignalPage',
    args: ['signals', 'ls', '-n', '3'],
    path: '/signals',
    sample: {
      scope: 'own_recorded_notifications',
      items: samples.cards(3),
      next_cursor: null,
      since: '2026-11-01T00:00:00Z',
      until: '2026-11-20T00:00:00+00:00',
    },
  },
  { root: 'SignalDetail', args: ['signals', 'show', '8999'], path: '/signals/8999', sample: samples.detail(1) },
  { root: 'SignalStats', args: ['stats'], path: '/signal-stats', sample: samples.stats() },
];

type Path = readonly (string | number)[];

/** What is put in the place of each field, as JSON; undefined removes it. */
const VALUES = [
  undefined,
  ...['null', 'true', '"text"', '"7"', '"2026-02-03T04:05:06.123456Z"', '"2026-02-30T00:00:00Z"'],
  ...['0', '-1', '7', '2001', '7.5', '-1.5e-3', '1e300', '1e400', '9007199254740993', '1763600000'],
  ...['{}', '{"x":-1.5}', '{"x":"1"}', '{"x":null}', '[]', '["a"]', '["a",1]', '["a",null]'],
] as const;

/** Every field of a resource and of those in it; of a list the second element. */
function placesOf(resource: ResourceName, at: Path = []): { path: Path; field: DocumentedField }[] {
  return fieldsOf(resource).flatMap((field) => {
    const path = [...at, field.name];
    const inner = field.type.replace(/^\[|\]$/g, '');
    const below = field.type.startsWith('[') ? [...path, 1] : path;
    return [{ path, field }, ...(inner in DOCUMENT ? placesOf(inner as ResourceName, below) : [])];
  });
}

/** The answer with the value in that place, as text: some values exist only as text. */
function changed(sample: samples.Json, path: Path, json: string | undefined): string {
  const copy = structuredClone(sample);
  const last = path.at(-1) ?? '';
  const holder = path.slice(0, -1).reduce((value: samples.Json, step) => value[step] as samples.Json, copy);
  if (json === undefined) delete holder[last];
  else holder[last] = '@@here@@';
  return JSON.stringify({ hasError: false, response: copy, errors: null }).replace('"@@here@@"', json ?? '');
}

function spelled(path: Path): string {
  return path.reduce<string>((text, step) => text + (typeof step === 'number' ? `[${step}]` : `.${step}`), 'response');
}

async function run(server: ApiServer, args: readonly string[]) {
  // Somebody else each time: nothing of one answer is to tell on the next.
  const home = createHome();
  const ran = await runHere([...args, '--json', '--max-wait', '0'], { env: server.env, home });
  home.remove();
  return ran;
}

describe.each(ROOTS)('$root', ({ root, args, path: where, sample }) => {
  const all = placesOf(root).flatMap((place) => VALUES.map((json) => ({ ...place, json })));
  // By default three of each field's values, each value in its turn.
  const some = process.env.SCREENER_HEAVY === '1' ? all : all.filter((_, i) => i % 8 === Math.floor(i / 25) % 8);

  test(`${some.length} changes of an answer`, async () => {
    const server = await ApiServer.start();
    server.always('/access', ok(samples.access()));
    const wrong: string[] = [];
    for (const { path, field, json } of some) {
      const body = changed(sample, path, json);
      const what = `${spelled(path)} = ${json ?? '(removed)'}`;
      server.always(where, { body });
      const { code, stdout, stderr } = await run(server, args);
      if (hasInfinity(body) || !isSuccess(root, readExactly(body))) {
        const said = code === 9 ? String(errorLine(stderr).message) : stderr;
        if (code !== 9 || stdout !== '' || !said.includes(spelled(path))) wrong.push(`${what}: ${code} ${said}`);
        continue;
      }
      const isUnlisted =
        json !== 'null' && field.allowed !== undefined && !field.allowed.includes(JSON.parse(`${json}`));
      if (stderr.includes('warning: The service sent') !== isUnlisted) wrong.push(`${what}: ${stderr}`);
      if (code !== 0 || stdout !== `${JSON.stringify(JSON.parse(body).response, null, 2)}\n`) {
        wrong.push(`${what}: ${code} ${stdout}${stderr}`);
      }
    }
    await server.close();
    expect(wrong).toEqual([]);
  });
});

test.each([
  '{"response":{},"errors":null}',
  '{"hasError":"no","response":{},"errors":null}',
  '{"hasError":false,"errors":null}',
  '{"hasError":false,"response":[],"errors":null}',
  '{"hasError":false,"response":{}}',
  '{"hasError":true,"response":null,"errors":["x"]}',
])('no Envelope: %s', async (body) => {
  const server = await ApiServer.start();
  server.always('/access', { body });
  const { code, stdout, stderr } = await run(server, ['access']);
  await server.close();
  expect({ code, stdout }).toEqual({ code: 9, stdout: '' });
  expect(errorLine(stderr).message).toMatch(/Envelope \((hasError|response|errors)/);
});
