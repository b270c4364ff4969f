import { describe, expect, test } from 'vitest';
import { main } from '../../src/main.ts';
import { testContext } from '../support/context.ts';
import { DOCUMENT, type DocumentedField, fieldsOf, type ResourceName } from '../support/document.ts';
import { errorLine } from '../support/fixtures.ts';
import { createHome } from '../support/home.ts';
import * as samples from '../support/samples.ts';
import { ApiServer, ok } from '../support/server.ts';

/** One command for each resource, with an answer in which every nested resource occurs. */
const ROOTS: readonly { root: ResourceName; args: string[]; path: string; sample: () => samples.Json }[] = [
  { root: 'Access', args: ['access'], path: '/access', sample: () => samples.access() },
  { root: 'MarketSnapshot', args: ['snapshot'], path: '/market-snapshot', sample: samples.snapshot },
  { root: 'Screeners', args: ['screeners'], path: '/screeners', sample: samples.screeners },
  {
    root: 'SignalPage',
    args: ['signals', 'ls', '-n', '3'],
    path: '/signals',
    sample: () => ({
      scope: 'own_recorded_notifications',
      items: samples.cards(3),
      next_cursor: null,
      since: '2026-11-01T00:00:00Z',
      until: '2026-11-20T00:00:00+00:00',
    }),
  },
  { root: 'SignalDetail', args: ['signals', 'show', '8999'], path: '/signals/8999', sample: () => samples.detail(1) },
  { root: 'SignalStats', args: ['stats'], path: '/signal-stats', sample: samples.stats },
];

/** A change of one value of an answer, by where it is, and whether the document still allows the result. */
interface Mutation {
  readonly path: readonly (string | number)[];
  /** Text of the JSON value; undefined removes the field. */
  readonly json: string | undefined;
  readonly allowed: 'yes' | 'no' | 'with a warning';
}

const JSON_OF: Readonly<Record<string, string>> = {
  string: '"text"',
  time: '"2026-02-03T04:05:06.123456Z"',
  integer: '7',
  number: '-1.5e-3',
  boolean: 'false',
  object: '{"a":1}',
  array: '["a"]',
};

/** The kinds of JSON values that a type of the document takes. */
const TAKES: Readonly<Record<string, readonly string[]>> = {
  string: ['string', 'time'],
  time: ['time'],
  integer: ['integer'],
  number: ['number', 'integer'],
  boolean: ['boolean'],
  object: ['object'],
};

function mutationsOf(resource: ResourceName, at: readonly (string | number)[] = []): Mutation[] {
  return fieldsOf(resource).flatMap((field) => mutationsOfField(field, [...at, field.name]));
}

function mutationsOfField(field: DocumentedField, path: readonly (string | number)[]): Mutation[] {
  const { type, nullable, least, most, allowed } = field;
  const no = (json: string | undefined): Mutation => ({ path, json, allowed: 'no' });
  const yes = (json: string): Mutation => ({ path, json, allowed: 'yes' });
  const found = [no(undefined), nullable ? yes('null') : no('null')];
  const inner = type.startsWith('[') ? type.slice(1, -1) : undefined;
  if (inner !== undefined) {
    found.push(yes('[]'), no('{}'), no('"text"'), no('1'));
    if (inner in DOCUMENT) found.push(...mutationsOf(inner as ResourceName, [...path, 1]));
    else found.push(yes('["a","b"]'), no('["a",1]'), no('["a",null]'));
    return found;
  }
  if (type in DOCUMENT) {
    return [...found, no('[]'), no('"text"'), no('true'), ...mutationsOf(type as ResourceName, path)];
  }
  if (type === 'numbers') {
    return [
      ...found,
      yes('{}'),
      yes('{"x":-1.5}'),
      no('{"x":"1"}'),
      no('{"x":null}'),
      no('{"x":[1]}'),
      no('[]'),
      no('1'),
    ];
  }
  for (const [kind, json] of Object.entries(JSON_OF)) {
    if (!TAKES[type]?.includes(kind)) found.push(no(json));
    else if (allowed === undefined) found.push(yes(json));
    else found.push({ path, json, allowed: 'with a warning' });
  }
  if (type === 'integer') found.push(no('7.5'), no('9007199254740993'), no('1e400'), no('"7"'));
  if (type === 'number') found.push(no('1e400'), yes('0'), yes('1e300'));
  if (type === 'time')
    found.push(no('"soon"'), no('"2026-13-01T00:00:00Z"'), no('"2026-02-30T00:00:00Z"'), no('1763600000'));
  if (least !== undefined) found.push(yes(String(least)), no(String(least - 1)));
  if (most !== undefined) found.push(yes(String(most)), no(String(most + 1)));
  return found;
}

/** The sample with the mutation in it, as text: some values exist only as text. */
function mutated(sample: samples.Json, { path, json }: Mutation): string {
  const copy = structuredClone(sample);
  const last = path.at(-1) ?? '';
  const holder = path.slice(0, -1).reduce((value: samples.Json, step) => value[step] as samples.Json, copy);
  if (json === undefined) delete holder[last];
  else holder[last] = '@@here@@';
  return JSON.stringify({ hasError: false, response: copy, errors: null }).replace('"@@here@@"', json ?? '');
}

function spelled(path: readonly (string | number)[]): string {
  return path.reduce<string>(
    (text, step) => `${text}${typeof step === 'number' ? `[${step}]` : `.${step}`}`,
    'response',
  );
}

/** By default two of each field's changes, every kind in its turn; all of them when heavy. */
function some(mutations: readonly Mutation[]): readonly Mutation[] {
  if (process.env.SCREENER_HEAVY === '1') return mutations;
  const fields = [...new Set(mutations.map(({ path }) => spelled(path)))];
  return fields.flatMap((field, n) => {
    const ofField = mutations.filter(({ path }) => spelled(path) === field);
    return ofField.filter((_, i) => (i + n) % ofField.length < 2);
  });
}

async function run(server: ApiServer, args: readonly string[]) {
  // Somebody else each time: nothing of one answer is to tell on the next.
  const { config, state, remove } = createHome();
  const directories = { config, state };
  const context = testContext({ argv: [...args, '--json', '--max-wait', '0'], env: server.env, directories });
  const code = await main(context);
  remove();
  return { code, stdout: context.stdout.text, stderr: context.stderr.text };
}

describe('part 2 of the document, field by field', () => {
  for (const { root, args, path, sample } of ROOTS) {
    const mutations = some(mutationsOf(root));
    test(`${root}: ${mutations.length} changes of an answer`, async () => {
      const server = await ApiServer.start();
      server.always('/access', ok(samples.access()));
      const wrong: string[] = [];
      for (const mutation of mutations) {
        const body = mutated(sample(), mutation);
        server.always(path, { body });
        const { code, stdout, stderr } = await run(server, args);
        const what = `${spelled(mutation.path)} = ${mutation.json ?? '(removed)'}`;
        if (mutation.allowed === 'no') {
          const said = code === 9 ? String(errorLine(stderr).message) : stderr;
          if (code !== 9 || stdout !== '' || !said.includes(spelled(mutation.path)))
            wrong.push(`${what}: ${code} ${said}`);
          continue;
        }
        if (code !== 0) wrong.push(`${what}: ${code} ${stderr}`);
        else if (JSON.stringify(JSON.parse(stdout)) !== JSON.stringify(JSON.parse(body).response))
          wrong.push(`${what}: not kept`);
        if (stderr.includes('warning: The service sent') !== (mutation.allowed === 'with a warning')) {
          wrong.push(`${what}: ${mutation.allowed} to be allowed, but stderr says ${stderr}`);
        }
      }
      await server.close();
      expect(wrong).toEqual([]);
      expect(mutations.length).toBeGreaterThan(8);
    });
  }

  for (const [what, body] of Object.entries({
    'no hasError': '{"response":{},"errors":null}',
    'hasError a string': '{"hasError":"no","response":{},"errors":null}',
    'no response': '{"hasError":false,"errors":null}',
    'a list for response': '{"hasError":false,"response":[],"errors":null}',
    'no errors': '{"hasError":false,"response":{}}',
    'a list for errors': '{"hasError":true,"response":null,"errors":["x"]}',
  })) {
    test(`the Envelope: ${what}`, async () => {
      const server = await ApiServer.start();
      server.always('/access', { body });
      const { code, stdout, stderr } = await run(server, ['access']);
      await server.close();
      expect({ code, stdout }).toEqual({ code: 9, stdout: '' });
      expect(errorLine(stderr).message).toMatch(/Envelope \((hasError|response|errors)/);
    });
  }
});
