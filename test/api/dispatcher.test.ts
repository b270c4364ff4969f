import { expect, it } from 'vitest';
import { isPastProxy, noProxyOf } from '../../src/api/dispatcher.ts';

const past = (url: string, noProxy: string) => isPastProxy(new URL(url), noProxy);

it.each([
  { url: 'https://api.test', noProxy: '*' },
  { url: 'https://api.test', noProxy: 'other.test, API.test' },
  { url: 'https://api.test', noProxy: '.test' },
  { url: 'https://api.test', noProxy: '*.test' },
  { url: 'https://api.test', noProxy: 'api.test:443' },
  { url: 'https://api.test:8443', noProxy: 'api.test:8443' },
  { url: 'https://api.test', noProxy: 'api.test.' },
  { url: 'https://api.test.', noProxy: 'api.test' },
  { url: 'https://api.test.', noProxy: 'test.:443' },
  { url: 'https://[2001:db8::1]', noProxy: '2001:db8::1' },
  { url: 'https://[2001:db8::1]', noProxy: '2001:DB8:0:0::1' },
  { url: 'https://[2001:db8::1]:8443', noProxy: '[2001:db8::1]:8443' },
  { url: 'https://192.0.2.1', noProxy: '192.0.2.1' },
  { url: 'https://bücher.test', noProxy: 'bücher.test' },
  { url: 'https://10.1.2.3', noProxy: 'a.test,10.0.0.0/8' },
  { url: 'https://10.1.2.3:8443', noProxy: '10.1.2.0/24' },
  { url: 'https://[2001:db8::1]', noProxy: '2001:db8::/32' },
  { url: 'https://192.0.2.1', noProxy: '192.0.2.1/32' },
  { url: 'https://[2001:db8::1]', noProxy: '2001:db8::1/128' },
])('NO_PROXY=$noProxy lets $url go past the proxy', ({ url, noProxy }) =>
  expect(past(url, noProxy), `${url} past NO_PROXY=${noProxy}`).toBe(true),
);

it.each([
  { url: 'https://api.test', noProxy: '' },
  { url: 'https://api.test', noProxy: 'pi.test' },
  { url: 'https://api.test', noProxy: 'api.test:8443' },
  { url: 'https://[2001:db8::1]', noProxy: '2001:db8::2' },
  { url: 'https://[2001:db8::1]', noProxy: '[2001:db8::1]:8443' },
  { url: 'https://192.0.2.11', noProxy: '192.0.2.1' },
  { url: 'https://11.1.2.3', noProxy: '10.0.0.0/8' },
  { url: 'https://10.1.2.3', noProxy: '10.0.0.0/33' },
  { url: 'https://10.1.2.3', noProxy: '/8, 10/8, 10.0.0.0/' },
  { url: 'https://[2001:db8::1]', noProxy: '10.0.0.0/8' },
  { url: 'https://10.example.test', noProxy: '10.0.0.0/8' },
])('NO_PROXY=$noProxy does not let $url go past it', ({ url, noProxy }) =>
  expect(past(url, noProxy), `${url} past NO_PROXY=${noProxy}`).toBe(false),
);

it.each([
  { env: {}, hosts: '' },
  { env: { NO_PROXY: '.test' }, hosts: '.test' },
  { env: { no_proxy: 'a.test', NO_PROXY: 'b.test' }, hosts: 'a.test' },
  { env: { no_proxy: '', NO_PROXY: 'b.test' }, hosts: 'b.test' },
])('$env: no proxy is for $hosts', ({ env, hosts }) => {
  expect(noProxyOf(env)).toBe(hosts);
});
