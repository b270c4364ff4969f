import { describe, expect, it } from 'vitest';
import type { Invocation } from '../../src/commands/invocation.ts';
import { run } from '../../src/commands/sandbox.ts';
import { interruptedError, OutputClosed } from '../../src/errors.ts';

/** A run of the command whose output the test can read while it serves. */
function started(
  given: Partial<Parameters<typeof run>[1]> = {},
  format = 'table',
  failing?: Error,
  platform = 'linux',
) {
  const controller = new AbortController();
  const notes: string[] = [];
  let printed: (text: string) => void = () => {};
  const output = new Promise<string>((resolve) => {
    printed = resolve;
  });
  const invocation = {
    context: {
      signal: controller.signal,
      clock: { now: Date.now },
      platform,
      env: {},
      stdout: {
        write: async (text: string) => {
          printed(text);
          if (failing !== undefined) throw failing;
        },
      },
    },
    globals: { format },
    notes: { note: (text: string) => notes.push(text) },
  } as unknown as Invocation;
  const usual = { port: undefined, cards: 300, seed: 1, perMinute: 15, shell: undefined, fault: [] };
  const done = run(invocation, { ...usual, ...given });
  return { controller, notes, output, done };
}

const field = (text: string, name: string): string => new RegExp(`^export ${name}=(.+)$`, 'm').exec(text)?.[1] ?? '';

describe('screener sandbox', () => {
  it('prints lines for eval, logs requests, and Ctrl-C is its normal end', async () => {
    const { controller, notes, output, done } = started({ perMinute: 5, fault: ['screeners:1:reset'] });
    const text = await output;
    expect(text.split('\n')).toHaveLength(3);
    const base = field(text, 'SCREENER_BASE_URL');
    const headers = { authorization: `Bearer ${field(text, 'SCREENER_API_KEY')}` };
    const access = (await (await fetch(`${base}/access`, { headers })).json()) as { response: { per_minute: number } };
    expect(access.response.per_minute).toBe(5);
    await fetch(`${base}/signals?limit=2`, { headers });
    await fetch(`${base}/screeners`, { headers }).catch(() => undefined);
    controller.abort(interruptedError());
    await done;
    expect(notes.map((note) => note.replace(/^\d\d:\d\d:\d\dZ /, ''))).toEqual([
      'GET /access 200 0 credits',
      'GET /signals?limit=2 200 1 credit',
      'GET /screeners no answer 0 credits',
    ]);
    await expect(fetch(`${base}/access`)).rejects.toThrow();
  });

  it.each<['sh' | 'fish' | 'powershell' | 'cmd', RegExp]>([
    ['sh', /^export SCREENER_BASE_URL=(\S+)\nexport SCREENER_API_KEY=sandbox-key\n$/],
    ['fish', /^set -gx SCREENER_BASE_URL (\S+)\nset -gx SCREENER_API_KEY sandbox-key\n$/],
    ['powershell', /^\$env:SCREENER_BASE_URL = '(\S+)'\n\$env:SCREENER_API_KEY = 'sandbox-key'\n$/],
    ['cmd', /^set "SCREENER_BASE_URL=(\S+)"\nset "SCREENER_API_KEY=sandbox-key"\n$/],
  ])('prints lines for %s', async (shell, lines) => {
    const { controller, output, done } = started({ shell });
    expect(lines.exec(await output)?.[1]).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api\/external\/v1$/);
    controller.abort(interruptedError());
    await done;
  });

  it('prints lines for PowerShell on Windows, unless told otherwise', async () => {
    const { controller, output, done } = started({}, 'table', undefined, 'win32');
    expect(await output).toMatch(/^\$env:SCREENER_BASE_URL/);
    controller.abort(interruptedError());
    await done;
  });

  it.each(['json', 'ndjson'])('prints one JSON line in %s format', async (format) => {
    const { controller, output, done } = started({ port: 0, cards: 5 }, format);
    expect(JSON.parse(await output)).toEqual({ base_url: expect.stringMatching(/^http/), key: expect.any(String) });
    controller.abort(interruptedError());
    await done;
  });

  it('stops when nobody can read its address', async () => {
    const { output, done } = started({}, 'json', new OutputClosed());
    const { base_url } = JSON.parse(await output);
    await expect(done).rejects.toThrow(OutputClosed);
    await expect(fetch(`${base_url}/access`)).rejects.toThrow();
  });
});
