import { existsSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { it } from '../support/fixtures.ts';
import { KEY } from '../support/server.ts';

describe('--plan', () => {
  it('of a logout removes nothing', async ({ here, home }) => {
    expect((await here(['login'], { stdin: `${KEY}\n` })).code).toBe(0);
    const plan = await here(['logout', '--plan', '--json']);
    expect([plan.code, JSON.parse(plan.stdout).credits]).toEqual([0, { least: 0, most: 0 }]);
    expect(existsSync(home.saved)).toBe(true);
    await here(['logout']);
    expect(existsSync(home.saved)).toBe(false);
  });

  it('of stats --by type names the most once the types were seen, none that is off', async ({ server, here }) => {
    const plan = async () => JSON.parse((await here(['stats', '--by', 'type', '--plan', '--json'])).stdout).credits;
    expect(await plan()).toEqual({ least: 1, most: null });
    await here(['screeners', '--quiet']);
    expect(await plan()).toEqual({ least: 1, most: 11 });
    const before = server.credits;
    await here(['stats', '--by', 'type', '--json']);
    expect(server.credits - before).toBe(6);
  });

  it('of an export takes the fields of the export, and is printed whole', async ({ here }) => {
    const plan = await here(['--demo', 'signals', 'export', '--plan', '--json', '--fields', 'pages']);
    expect(plan.code, plan.stderr).toBe(0);
    expect(JSON.parse(plan.stdout)).toHaveProperty('credits_at_most');
  });
});
