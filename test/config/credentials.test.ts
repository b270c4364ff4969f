/** Where key and base URL come from, and what is wrong with those that cannot be used. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import {
  accountId,
  findCredentials,
  isLoopback,
  normaliseBaseUrl,
  overriddenLogin,
} from '../../src/config/credentials.ts';
import { writeSettings } from '../../src/config/settings.ts';
import { testContext } from '../support/context.ts';
import { errorLine, it } from '../support/fixtures.ts';
import { KEY } from '../support/server.ts';

const PREFIX = '/api/external/v1';

describe('a base URL', () => {
  it.for([
    { text: 'https://api.example', normal: `https://api.example${PREFIX}` },
    { text: 'https://api.example/', normal: `https://api.example${PREFIX}` },
    { text: `https://api.example${PREFIX}`, normal: `https://api.example${PREFIX}` },
    { text: `https://api.example${PREFIX}///`, normal: `https://api.example${PREFIX}` },
    { text: `https://api.example:8443/a${PREFIX}`, normal: `https://api.example:8443/a${PREFIX}` },
    { text: 'api.example', normal: `https://api.example${PREFIX}` },
    { text: `10.0.0.1:8443${PREFIX}`, normal: `https://10.0.0.1:8443${PREFIX}` },
    { text: 'api.screener.xn--p1ai', normal: `https://api.screener.xn--p1ai${PREFIX}` },
    { text: 'https://api.примерсайт.рф', normal: `https://api.xn--80ajigmqhdjm.xn--p1ai${PREFIX}` },
    { text: 'screener-gateway:8443', normal: `https://screener-gateway:8443${PREFIX}` },
    { text: `gateway:8443/a${PREFIX}`, normal: `https://gateway:8443/a${PREFIX}` },
    { text: 'https://API.Screener.Example', normal: `https://api.screener.example${PREFIX}` },
  ])('$text is $normal', ({ text, normal }) => {
    expect(normaliseBaseUrl(text)).toBe(normal);
  });

  const EXAMPLE = `An address looks like https://HOST${PREFIX}; the path may be left out.`;

  it.for([
    {
      text: 'https://api.example/other',
      message: `The base URL's path is /other, but the API lives under ${PREFIX}.`,
      hint: EXAMPLE,
    },
    {
      text: 'ftp://api.example',
      message: 'The base URL must start with https://, not ftp://.',
      hint: EXAMPLE,
    },
    {
      text: 'http://api.example',
      message: 'Plain http is refused: anybody on the way could read the key.',
      hint: 'Use https://api.example',
    },
    {
      text: `http://api.example:81${PREFIX}`,
      message: 'Plain http is refused: anybody on the way could read the key.',
      hint: `Use https://api.example:81${PREFIX}`,
    },
    ...[
      'sk_live_0123456789abcdef',
      'my-proxy-for-screener',
      'sk.abcdefghijklmnop',
      'SG.abcdefghijk.abcdefghijklmn',
      'eyJhbGciOi.eyJzdWIi.signaTure',
      'sk_live_0123456789.123',
      'sk.0123456789abcdef',
      'API.Screener.Example',
      '“sk_live_0123456789abcdef”',
    ].map((text) => ({
      text,
      message: 'That looks like a key, or like an address without https://.',
      hint: `Nothing was sent. ${EXAMPLE}`,
    })),
    { text: 'short', message: 'The base URL is not a URL.', hint: EXAMPLE },
    { text: ' ', message: 'The base URL is empty.', hint: EXAMPLE },
  ])('"$text" is refused: $message', ({ text, message, hint }) => {
    expect(() => normaliseBaseUrl(text)).toThrow(
      expect.objectContaining({ code: 'usage', message, hint }),
    );
  });

  it.for([
    { host: 'localhost', is: true },
    { host: '127.0.0.1', is: true },
    { host: '127.255.0.9', is: true },
    { host: '[::1]', is: true },
    { host: '[::2]', is: false },
    { host: '128.0.0.1', is: false },
    { host: '127.0.0.1.example', is: false },
    { host: 'localhost.example', is: false },
  ])('$host is this machine: $is', ({ host, is }) => {
    expect({ host, is: isLoopback(host) }).toEqual({ host, is });
  });
});

describe('an account', () => {
  it('has one name for every spelling of its base URL, and another for another key', () => {
    const name = accountId(`https://api.example${PREFIX}`, 'sk_a');
    expect(name, 'the name of an account').toMatch(/^[0-9a-f]{24}$/);
    const isSame = (baseUrl: string, key: string) => accountId(baseUrl, key) === name;
    expect({
      otherSpelling: isSame(`https://API.example:443${PREFIX}//`, 'sk_a'),
      otherKey: isSame(`https://api.example${PREFIX}`, 'sk_b'),
      otherPath: isSame(`https://api.example/a${PREFIX}`, 'sk_a'),
    }).toEqual({ otherSpelling: true, otherKey: false, otherPath: false });
  });
});

describe('what is missing is named', () => {
  it.for([
    {
      name: 'both',
      env: { SCREENER_API_KEY: '', SCREENER_BASE_URL: '' },
      missing: 'API key: SCREENER_API_KEY',
    },
    { name: 'the key', env: { SCREENER_API_KEY: '' }, missing: 'API key: SCREENER_API_KEY' },
    {
      name: 'the base URL',
      env: { SCREENER_BASE_URL: ' ' },
      missing: 'base URL: SCREENER_BASE_URL',
    },
  ])('$name', async ({ env, missing }, { here, home, server }) => {
    const { code, stderr } = await here(['snapshot', '--json'], { env });
    const { message, hint } = errorLine(stderr);
    expect({ code, message, hint, requests: server.requests }).toEqual({
      code: 3,
      message: `There is no ${missing} is not set, and ${home.saved} does not exist.`,
      hint: 'Run `screener login`, or set SCREENER_API_KEY and SCREENER_BASE_URL (`--demo` needs neither).',
      requests: [],
    });
  });

  it('what the environment lacks is read from what login saved', async ({ here, server }) => {
    const lacksKey = { SCREENER_API_KEY: '' };
    const lacksUrl = { SCREENER_BASE_URL: '' };
    await here(['login'], { stdin: KEY, env: lacksKey });
    const codes = {
      key: (await here(['snapshot'], { env: lacksKey })).code,
      url: (await here(['snapshot'], { env: lacksUrl })).code,
      both: (await here(['snapshot'], { env: { ...lacksKey, ...lacksUrl } })).code,
    };
    expect(codes).toEqual({ key: 0, url: 0, both: 0 });
    const keys = server.requests.map(({ headers }) => headers.authorization);
    expect(new Set(keys)).toEqual(new Set([`Bearer ${KEY}`]));
  });

  it('what login saved may be broken if the environment lacks nothing', async ({ here, home }) => {
    mkdirSync(home.config);
    writeFileSync(home.saved, 'rubbish', { mode: 0o600 });
    expect((await here(['snapshot'])).code).toBe(0);
  });

  it('the environment goes before what login saved', async ({ here, server }) => {
    await here(['login'], { stdin: 'sk_test_another_key', env: { SCREENER_API_KEY: '' } });
    server.requests.length = 0;
    await here(['snapshot']);
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${KEY}`]);
  });
});

describe('a saved login', () => {
  const SAVED = `https://api.example${PREFIX}`;

  it.for([
    { name: 'the saved base URL itself', baseUrl: SAVED, counts: true },
    { name: 'another spelling of it', baseUrl: 'https://API.example/', counts: true },
    { name: 'another base URL', baseUrl: 'https://other.example', counts: false },
  ])('counts beside $name: $counts', async ({ baseUrl, counts }, { home }) => {
    await writeSettings(home.config, { baseUrl: SAVED, key: KEY });
    const context = testContext({ directories: home, env: { SCREENER_BASE_URL: baseUrl } });
    const overridden = counts ? undefined : { baseUrl: SAVED, key: KEY };
    expect({
      byVariable: overriddenLogin(context, undefined),
      byFlag: overriddenLogin({ ...context, env: {} }, baseUrl),
    }).toEqual({ byVariable: overridden, byFlag: overridden });
    const usable = () => findCredentials(context, undefined);
    if (counts) expect(usable()).toEqual({ baseUrl: SAVED, key: KEY });
    else
      expect(usable).toThrow(
        expect.objectContaining({
          code: 'not_logged_in',
          message: `The saved key is for ${SAVED}, not for ${baseUrl}${PREFIX}.`,
        }),
      );
  });
});
