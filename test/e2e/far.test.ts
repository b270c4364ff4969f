/** A service at the end of a slow, half-broken way. */
import { describe, expect } from 'vitest';
import { CONNECTING, isFarKnown, NOWHERE, resolverFor, startFarHost } from '../support/far.ts';
import { errorLine, it } from '../support/fixtures.ts';
import type { Home } from '../support/home.ts';
import { startScreener } from '../support/run.ts';
import * as samples from '../support/samples.ts';
import { noOpenssl, startProxy, startSecure } from '../support/secure.ts';
import { type Answer, KEY, ok } from '../support/server.ts';

/** Milliseconds, each way. */
const FAR = 300;
/** What a CDN answers whom it takes for a machine. */
const PAGE: Answer = {
  status: 403,
  headers: { 'Content-Type': 'text/html' },
  body: '<!DOCTYPE html><html><head><title>Just a moment...</title></head></html>\n',
};

/** Runs `snapshot` against a service of that name, whose addresses are these; connecting takes a second. */
async function askFar(
  home: Home,
  { addresses, answer = ok(samples.snapshot()) }: { addresses: readonly string[]; answer?: Answer },
) {
  const secure = await startSecure(home, { answer });
  const far = await startFarHost(secure.port, FAR);
  const running = startScreener(['snapshot', '--json', '--max-wait', '0'], {
    home,
    env: {
      SCREENER_BASE_URL: `https://api.test:${far.port}`,
      SCREENER_API_KEY: KEY,
      NODE_EXTRA_CA_CERTS: secure.certificate,
      NODE_OPTIONS: resolverFor(home, { 'api.test': addresses }),
    },
  });
  running.child.stdin?.end();
  await running.seen(CONNECTING);
  far.letConnect();
  const ran = await running.done;
  far.close();
  secure.close();
  const stderr = ran.stderr.replaceAll(/^CONNECTING\n/gm, '');
  return { ...ran, stderr, authorizations: secure.authorizations };
}

describe.skipIf(noOpenssl || !isFarKnown)('a host a second away', { concurrent: true }, () => {
  it.for([
    { name: 'its only address', addresses: ['127.0.0.1'] },
    {
      name: 'and an address of a family without a route, after it',
      addresses: ['127.0.0.1', NOWHERE],
    },
    { name: 'and such an address before it', addresses: [NOWHERE, '127.0.0.1'] },
  ])('is reached: $name', async ({ addresses }, { home }) => {
    const { code, stdout, stderr, authorizations } = await askFar(home, { addresses });
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toEqual(samples.snapshot());
    expect(authorizations).toEqual([`Bearer ${KEY}`]);
  });

  it("with a CDN's page in front is not the service", async ({ home }) => {
    const addresses = ['127.0.0.1', NOWHERE];
    const { code, stderr } = await askFar(home, { addresses, answer: PAGE });
    expect(code).toBe(8);
    expect(errorLine(stderr)).toMatchObject({
      code: 'unavailable',
      message:
        "A web page came in place of the service's answer (403): a proxy, a login page or a CDN.",
    });
  });

  it('is reached through a proxy that is as far away', async ({ home }) => {
    const secure = await startSecure(home);
    const proxy = await startProxy(secure.port);
    const far = await startFarHost(Number(new URL(proxy.url).port), FAR);
    const running = startScreener(['snapshot', '--json', '--max-wait', '0'], {
      home,
      env: {
        SCREENER_BASE_URL: 'https://api.test',
        SCREENER_API_KEY: KEY,
        HTTPS_PROXY: `http://proxy.test:${far.port}`,
        NODE_EXTRA_CA_CERTS: secure.certificate,
        NODE_OPTIONS: resolverFor(home, { 'proxy.test': ['127.0.0.1', NOWHERE] }),
      },
    });
    running.child.stdin?.end();
    await running.seen(CONNECTING);
    far.letConnect();
    const ran = await running.done;
    far.close();
    proxy.close();
    secure.close();
    expect(ran.code, ran.stderr).toBe(0);
    expect(JSON.parse(ran.stdout)).toEqual(samples.snapshot());
  });
});
