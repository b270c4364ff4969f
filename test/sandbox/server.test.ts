import { once } from 'node:events';
import { Agent, get as httpGet, type IncomingMessage } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { worldOf } from '../support/resources.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../support/sandbox.ts';
import { details } from './support.ts';

const open: Sandbox[] = [];
const start = async (options: SandboxOptions = {}): Promise<Sandbox> => {
  const sandbox = await startSandbox(options);
  open.push(sandbox);
  return sandbox;
};
afterEach(async () => {
  await Promise.all(open.splice(0).map((sandbox) => sandbox.close()));
});

const ask = ({ baseUrl, key }: Sandbox, path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(baseUrl + path, { headers: { authorization: `Bearer ${key}` }, redirect: 'manual', ...init });

const small = worldOf(details(60));

describe('the server', () => {
  it('says so when the port is taken', async () => {
    const { baseUrl } = await start();
    const port = Number(new URL(baseUrl).port);
    await expect(startSandbox({ port })).rejects.toMatchObject({ code: 'usage', message: `Port ${port} is in use.` });
  });
});

describe('close', () => {
  it('does not wait for idle connections, hanging ones or delayed answers', async () => {
    const sandbox = await start({ faults: ['access:2:hang', 'access:3:200:delay=60000'] });
    const agent = new Agent({ keepAlive: true });
    const headers = { authorization: `Bearer ${sandbox.key}` };
    const [idle] = (await once(httpGet(`${sandbox.baseUrl}/access`, { agent, headers }), 'response')) as [
      IncomingMessage,
    ];
    idle.resume();
    await once(idle, 'end');
    const lost = [1, 2].map(() => ask(sandbox, '/access').then((answer) => answer.text()));
    const outcomes = Promise.allSettled(lost);
    await expect.poll(() => sandbox.requests.length).toBe(3);
    await sandbox.close();
    expect((await outcomes).map((outcome) => outcome.status)).toEqual(['rejected', 'rejected']);
    agent.destroy();
  });
});

describe('faults on the wire', () => {
  const broken = (fault: string): Promise<Sandbox> => start({ world: small, faults: [`signals:1:${fault}`] });

  it('truncate: headers, half a body, then the connection is closed; charged', async () => {
    const sandbox = await broken('truncate');
    const answer = await ask(sandbox, '/signals');
    const promised = Number(answer.headers.get('content-length'));
    let received = 0;
    const read = async (): Promise<void> => {
      for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) received += chunk.length;
    };
    await expect(read()).rejects.toThrow();
    expect(received).toBe(promised >> 1);
    expect(sandbox.requests[0]).toMatchObject({ status: 200, credits: 1 });
  });

  it.each([
    ['reset', 0],
    ['reset-after', 1],
  ])('%s: no answer, %i credits', async (word, credits) => {
    const sandbox = await broken(word);
    const error = await ask(sandbox, '/signals').catch((reason: Error) => reason.cause);
    expect(error).toMatchObject({ code: expect.stringMatching(/ECONNRESET|UND_ERR_SOCKET/) });
    expect(sandbox.requests).toMatchObject([{ status: undefined, credits }]);
    expect(sandbox.quota.month).toBe(credits);
  });
});
