import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { errorLine, it } from '../support/fixtures.ts';
import * as samples from '../support/samples.ts';
import { listen, noOpenssl, startProxy, startSecure } from '../support/secure.ts';
import { ApiServer, KEY, PREFIX } from '../support/server.ts';

/** A SOCKS5 proxy that tunnels to `port` of this machine, whatever it is asked for, once it knows the user. */
async function startSocks(port: number) {
  const heard: string[] = [];
  const server = net.createServer(async (socket) => {
    socket.on('error', () => {});
    const next = async () => (await once(socket, 'data'))[0] as Buffer;
    await next();
    socket.write(Buffer.from([5, 2]));
    heard.push((await next()).toString('latin1', 2));
    socket.write(Buffer.from([1, 0]));
    heard.push((await next()).toString('latin1', 5));
    const upstream = net.connect(port, '127.0.0.1', () => {
      socket.write(Buffer.from([5, 0, 0, 1, 127, 0, 0, 1, 0, 0]));
      upstream.pipe(socket).pipe(upstream);
    });
    upstream.on('error', () => socket.destroy());
  });
  return {
    address: `me:p%40ss@127.0.0.1:${await listen(server)}`,
    heard,
    close: () => server.close(),
  };
}

/** Twice tried again, half a second and a second later, were it allowed to. */
const AT_ONCE = ['--max-wait', '0', '--json'];
const FAR = { SCREENER_BASE_URL: 'https://api.test' };

describe.concurrent('the key does not travel elsewhere', () => {
  it('a redirect is not followed', async ({ server, here }) => {
    const elsewhere = await ApiServer.start();
    for (const status of [301, 302, 303, 307, 308]) {
      server.always('/market-snapshot', {
        status,
        headers: { Location: `${elsewhere.baseUrl}/market-snapshot` },
      });
      const ran = await here(['snapshot', '--json']);
      expect(ran, `status ${status}`).toMatchObject({ code: 9, stdout: '' });
      expect(errorLine(ran.stderr), `status ${status}`).toMatchObject({
        status,
        code: 'bad_answer',
      });
    }
    expect(server.requests).toHaveLength(5);
    expect(elsewhere.requests).toEqual([]);
    await elsewhere.close();
  });

  it('a proxy for https gets a CONNECT without it; errors name its variable', async ({ here }) => {
    const proxy = await startProxy();
    // A proxy without a scheme is one for http, as in curl.
    const given = { https_proxy: proxy.url, ALL_PROXY: proxy.url.slice('http://'.length) };
    for (const [name, url] of Object.entries(given)) {
      const ran = await here(['snapshot', ...AT_ONCE], { env: { ...FAR, [name]: url } });
      expect(ran, name).toMatchObject({ code: 8, stdout: '' });
      const { message, hint } = errorLine(ran.stderr);
      expect(message, name).toMatch(new RegExp(`407.*${name} is set`));
      expect(hint, name).toContain('The proxy asks for a user name and a password');
    }
    expect(proxy.connects).toHaveLength(2);
    for (const connect of proxy.connects)
      expect(connect, 'what the proxy was asked').toMatch(/^api\.test:443 /);
    expect(proxy.seen()).not.toContain(KEY);
    expect(proxy.seen().toLowerCase()).not.toContain('\r\nauthorization');
    proxy.close();
  });

  it.skipIf(noOpenssl)(
    'through the tunnel the answer comes, and the proxy reads nothing',
    async ({ screener, home }) => {
      const secure = await startSecure(home);
      const proxy = await startProxy(secure.port);
      const env = { ...FAR, HTTPS_PROXY: proxy.url, NODE_EXTRA_CA_CERTS: secure.certificate };
      const ran = await screener(['snapshot', '--json'], { env });
      expect(ran.code, ran.stderr).toBe(0);
      expect(JSON.parse(ran.stdout)).toEqual(samples.snapshot());
      expect(secure.authorizations).toEqual([`Bearer ${KEY}`]);
      expect(proxy.connects).toHaveLength(1);
      expect(proxy.seen()).not.toContain(KEY);
      const direct = { ...env, SCREENER_BASE_URL: `https://127.0.0.1:${secure.port}${PREFIX}` };
      expect((await screener(['snapshot'], { env: direct })).code).toBe(0);
      const past = await screener(['snapshot', ...AT_ONCE], { env: { ...env, NO_PROXY: '.test' } });
      expect(errorLine(past.stderr)).toMatchObject({
        exit_code: 8,
        message: expect.stringContaining('NO_PROXY are'),
      });
      expect(proxy.connects).toHaveLength(1);
      proxy.close();
      secure.close();
    },
  );

  it.for([
    { host: 'api.test', NO_PROXY: 'api.test.' },
    { host: '[2001:db8::1]', NO_PROXY: '2001:db8::1' },
  ])('NO_PROXY=$NO_PROXY lets $host go past the proxy', async ({ host, NO_PROXY }, { here }) => {
    const proxy = await startProxy();
    const env = { SCREENER_BASE_URL: `https://${host}`, HTTPS_PROXY: proxy.url, NO_PROXY };
    const ran = await here(['snapshot', ...AT_ONCE, '--timeout', '1s'], { env });
    expect(ran.code, ran.stderr).toBe(8);
    expect(proxy.connects).toEqual([]);
    proxy.close();
  });

  it.skipIf(noOpenssl)(
    'a proxy for SOCKS is told user, password and the name',
    async ({ screener, home }) => {
      const secure = await startSecure(home);
      const socks = await startSocks(secure.port);
      const env = {
        ...FAR,
        ALL_PROXY: `socks5h://${socks.address}`,
        NODE_EXTRA_CA_CERTS: secure.certificate,
      };
      expect(await screener(['snapshot', '--json', '--quiet'], { env })).toMatchObject({
        code: 0,
        stderr: '',
      });
      // On a busy machine a second connection may begin before the first is through.
      expect(new Set(socks.heard)).toEqual(new Set(['me\x04p@ss', 'api.test\x01\xbb']));
      expect(secure.authorizations).toEqual([`Bearer ${KEY}`]);
      // Its certificate is checked there, too.
      const careless = {
        ...env,
        NODE_EXTRA_CA_CERTS: undefined,
        NODE_TLS_REJECT_UNAUTHORIZED: '0',
      };
      const refused = await screener(['snapshot', ...AT_ONCE], { env: careless });
      expect(errorLine(refused.stderr).message).toMatch(/certificate/);
      expect(secure.authorizations).toHaveLength(1);
      socks.close();
      secure.close();
    },
  );

  it.skipIf(noOpenssl).for([
    ['an unknown issuer', {}, false, /NODE_EXTRA_CA_CERTS.*NODE_USE_SYSTEM_CA=1/],
    ['a certificate of yesterday', { days: -1 }, true, /this machine's clock/],
    ['a certificate of another host', { names: 'DNS:other.test' }, true, /base URL: another host/],
  ] as const)(
    '%s says what to do, and is not tried again',
    async ([_, made, trusted, hint], { screener, home }) => {
      const secure = await startSecure(home, made);
      const env = {
        SCREENER_BASE_URL: `https://127.0.0.1:${secure.port}`,
        NODE_EXTRA_CA_CERTS: trusted ? secure.certificate : undefined,
        // Whatever the environment says.
        NODE_TLS_REJECT_UNAUTHORIZED: '0',
      };
      const ran = await screener(['snapshot', '--json'], { env });
      expect(ran).toMatchObject({ code: 8, stdout: '' });
      expect(errorLine(ran.stderr)).toMatchObject({
        code: 'network',
        hint: expect.stringMatching(hint),
      });
      expect({ handshakes: secure.handshakes(), authorizations: secure.authorizations }).toEqual({
        handshakes: 1,
        authorizations: [],
      });
      secure.close();
    },
  );

  it('a host that nobody knows is not asked for again', async ({ here }) => {
    const env = { SCREENER_BASE_URL: 'https://screener.invalid' };
    const ran = await here(['snapshot', '--json', '--verbose'], { env });
    expect(ran).toMatchObject({ code: 8, stdout: '' });
    expect(ran.stderr.match(/not sent/g)).toHaveLength(1);
    expect(ran.stderr).toContain('Check the host in the base URL');
  });

  it.for([
    { way: 'a proxy that refuses', answer: 'HTTP/1.1 403 Forbidden\r\n\r\n', says: /status 403/ },
    { way: 'a proxy that is none', answer: 'SSH-2.0-OpenSSH\r\n', says: /protocol/ },
    { way: 'a proxy that is not there', answer: undefined, says: /ECONNREFUSED/ },
  ] as const)(
    '$way: the error names the variables of README',
    async ({ answer, says }, { here }) => {
      const server = net.createServer((socket) => {
        socket.on('error', () => {}).once('data', () => socket.end(answer ?? ''));
      });
      const port = answer === undefined ? 9 : await listen(server);
      const env = { ...FAR, HTTPS_PROXY: `http://127.0.0.1:${port}` };
      const ran = await here(['snapshot', ...AT_ONCE], { env });
      const { message, hint } = errorLine(ran.stderr);
      expect(message).toMatch(says);
      expect(message).toContain('(HTTPS_PROXY is set)');
      expect(message).not.toContain('!==');
      for (const name of ['HTTPS_PROXY', 'NO_PROXY']) expect(hint, name).toContain(name);
      server.close();
    },
  );

  it('login asks for no key if the host cannot be reached', async ({ here }) => {
    const words = ['login', '--base-url', 'https://screener.invalid/api/external/v1'];
    const ran = await here(words, { tty: 80, isTyped: true, stdin: `${KEY}\r` });
    expect(ran).toMatchObject({ code: 8, stdout: '' });
    expect(ran.stderr).toContain('ENOTFOUND');
    expect(ran.stderr).not.toContain('API key');
  });

  it('plain http to this machine goes past every proxy', async ({ server, here }) => {
    const proxy = await startProxy();
    const names = [
      'HTTP_PROXY',
      'http_proxy',
      'HTTPS_PROXY',
      'https_proxy',
      'ALL_PROXY',
      'all_proxy',
    ];
    const env = Object.fromEntries(names.map((name) => [name, proxy.url]));
    expect((await here(['snapshot', '--json'], { env })).code).toBe(0);
    expect(server.requests).toHaveLength(1);
    expect(proxy.seen()).toBe('');
    proxy.close();
  });

  it('a proxy that closes every connection is waited for once', async ({ here }) => {
    const server = net.createServer((socket) => {
      socket.on('error', () => {}).once('data', () => socket.end());
    });
    const env = { ...FAR, HTTPS_PROXY: `http://127.0.0.1:${await listen(server)}` };
    const ran = await here(['access', '--json', '-v', '--timeout', '500ms'], { env });
    expect(ran.code).toBe(8);
    expect(ran.stderr.match(/not sent: no complete answer/g)).toHaveLength(1);
    expect(errorLine(ran.stderr).hint).toMatch(/Check the proxy that HTTPS_PROXY names/);
    server.close();
  });

  it('a proxy address that is none is said with its variable, and not shown', async ({ here }) => {
    for (const address of ['http://me:hunter2@:x', 'ftp://me:hunter2@proxy.test', '://hunter2']) {
      const ran = await here(['snapshot', ...AT_ONCE], { env: { ...FAR, ALL_PROXY: address } });
      expect(ran, address).toMatchObject({ code: 8, stdout: '' });
      expect(errorLine(ran.stderr).message, address).toContain(
        'the proxy address in ALL_PROXY is not usable',
      );
      expect(ran.stderr, address).not.toContain('hunter2');
    }
  });

  it('localhost is this machine, whatever a resolver says', async ({ server, screener, home }) => {
    const hook = path.join(home.folder, 'resolver.cjs');
    writeFileSync(
      hook,
      `require('node:dns').lookup = () => { console.error('asked'); process.exit(77); };`,
    );
    const env = {
      SCREENER_BASE_URL: `http://localhost:${server.port}`,
      NODE_OPTIONS: `--require "${hook}"`,
    };
    expect(await screener(['snapshot', '--json'], { env })).toMatchObject({ code: 0 });
    expect(server.requests).toHaveLength(1);
  });
});
