import { describe, expect, it } from 'vitest';
import { checkKey, normaliseBaseUrl } from '../../src/config/credentials.ts';

/** Hosts that look like this machine, or have a name that somebody else may point anywhere. */
const ELSEWHERE = [
  ...['http://localhost.evil.example', 'http://127.0.0.1.nip.io', 'http://127.0.0.1@evil.example'],
  ...[
    'http://evil.example\\@127.0.0.1',
    'http://localhost.',
    'http://0.0.0.0',
    'http://[::ffff:127.0.0.1]',
  ],
  ...['http://128.0.0.1', 'http://lоcalhost', 'ht\ntp://example.com'],
];

/** Other spellings of this machine's own address: the URL standard brings them into one form. */
const THIS_MACHINE = [
  ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
  ['http://2130706433', 'http://127.0.0.1'],
  ['http://0x7f.1', 'http://127.0.0.1'],
  ['http://LOCALHOST:1', 'http://localhost:1'],
  ['http://[::1]:9', 'http://[::1]:9'],
] as const;

describe('a base URL', () => {
  it.each(ELSEWHERE)('%j is refused', (url) => {
    expect(() => normaliseBaseUrl(url)).toThrow(/Plain http is refused|must hold no|is not a URL/);
  });

  it.each(['http://127.0.0.1@evil.example', 'http://localhost:80@evil.example/api/external/v1'])(
    '%s is not answered with the host behind the @',
    (url) => {
      const refused = expect.objectContaining({
        code: 'usage',
        message: 'The base URL must hold no user name, password, query or fragment.',
        hint: expect.not.stringContaining('evil'),
      });
      expect(() => normaliseBaseUrl(url)).toThrow(refused);
    },
  );

  it.each(THIS_MACHINE)('%s is this machine', (url, normal) => {
    expect(normaliseBaseUrl(url)).toBe(`${normal}/api/external/v1`);
  });

  it('is told from the quotes around it, as cmd.exe keeps them', () => {
    expect(normaliseBaseUrl('"https://api.example" ')).toBe('https://api.example/api/external/v1');
  });

  it.each([
    'https://user@api.example',
    'https://:secret@api.example',
    'https://api.example?key=secret',
    'ftp://api.example',
    'javascript:alert(1)',
    'https://',
  ])('%s is refused without being repeated', (url) => {
    expect(() => normaliseBaseUrl(url)).toThrow(expect.objectContaining({ code: 'usage' }));
    expect(() => normaliseBaseUrl(url)).not.toThrow(/secret/);
  });
});

describe('a key', () => {
  const AROUND = [
    'sk_x\n',
    '\t sk_x \r\n',
    '\ufeffsk_x',
    '\u00a0sk_x',
    '"sk_x"',
    "'sk_x'",
    '"sk_x"\r\n',
  ];
  it.each(AROUND)('%j: white space and quotes around it are not part of it', (text) => {
    expect(checkKey(text)).toBe('sk_x');
  });

  it.each([
    'sk_SECRET\r\nX-Evil: 1',
    'sk_SECRET sk',
    'sk_SECRETé',
    '""',
    'sk_SECRET\u200b',
    `sk_SECRET${'x'.repeat(5000)}`,
    '',
  ])('%j is refused without being repeated', (text) => {
    expect(() => checkKey(text)).toThrow(expect.objectContaining({ code: 'usage' }));
    expect(() => checkKey(text)).not.toThrow(/SECRET/);
  });
});
