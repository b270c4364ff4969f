import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { filesWith, modeOf } from '../support/files.ts';
import { errorLine, it } from '../support/fixtures.ts';
import {
  programFolder,
  programPath,
  runShell,
  startCommand,
  startScreener,
} from '../support/run.ts';
import * as samples from '../support/samples.ts';
import { ApiServer, failure, KEY } from '../support/server.ts';

const OTHER = 'sk_test_another_key_XYZ';
/** Nothing in the environment: what `login` saved is what counts. */
const BARE = { SCREENER_BASE_URL: undefined, SCREENER_API_KEY: undefined };

describe.concurrent('the key', () => {
  it('is in one 0600 file after login, in none after logout', async ({ server, here, home }) => {
    const login = ['login', '--base-url', server.baseUrl, '--json'];
    const { stdout } = await here(login, { stdin: `  ${KEY}\r\n`, env: BARE });
    const receipt = { file: home.saved, base_url: server.baseUrl, access: samples.access() };
    expect(JSON.parse(stdout)).toEqual(receipt);
    expect(filesWith(home.folder, KEY)).toEqual([home.saved]);
    expect(modeOf(home.saved)).toBe('0600');
    expect(modeOf(home.config)).toBe('0700');
    expect((await here(['snapshot'], { env: BARE })).code).toBe(0);
    expect(server.requests.at(-1)?.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(filesWith(home.state, KEY)).toEqual([]);
    const logout = async () => JSON.parse((await here(['logout', '--json'], { env: BARE })).stdout);
    expect(await logout()).toEqual({ file: home.saved, removed: true });
    expect(filesWith(home.folder, KEY)).toEqual([]);
    expect((await here(['snapshot'], { env: BARE })).code).toBe(3);
    expect(await logout()).toEqual({ file: home.saved, removed: false });
    expect(await here(['logout'], { env: BARE })).toMatchObject({ code: 0, stdout: '' });
  });

  it('behind a link stays there after logout, which says so', async ({ here, home }) => {
    mkdirSync(home.config, { recursive: true });
    for (const target of [path.join(home.folder, 'key.json'), '/nowhere/key.json']) {
      symlinkSync(target, home.saved);
      const { code, stderr } = await here(['logout'], { env: BARE });
      expect({ code, stderr }).toEqual({
        code: 0,
        stderr:
          `Removed ${home.saved}.\n` +
          `warning: ${home.saved} was a symbolic link to ${target}: if a key is there, it is still there.\n`,
      });
      expect(() => lstatSync(home.saved)).toThrow('ENOENT');
    }
  });

  it('in the place of the base URL is neither printed nor looked up', async ({ here }) => {
    for (const key of ['sk_live_0123456789abcdef', 'sk.abcdefghijklmnop']) {
      const { code, stderr } = await here(['access'], { env: { SCREENER_BASE_URL: key } });
      expect({ code, isUsageError: stderr.includes('Nothing was sent.') }).toEqual({
        code: 2,
        isUsageError: true,
      });
      expect(stderr, 'a base URL that is a key').not.toContain(key);
    }
  });

  it('in a variable that is blank is none', async ({ server, here, home }) => {
    const blank = { SCREENER_BASE_URL: ' ', SCREENER_API_KEY: ' \t' };
    const login = ['login', '--base-url', server.baseUrl];
    const saved = await here(login, { stdin: KEY, env: blank });
    expect(saved).toMatchObject({ code: 0, stderr: expect.not.stringContaining('is set') });
    expect((await here(['access'], { env: blank })).code).toBe(0);
    const again = await here(['login'], { stdin: '', env: blank });
    expect(again).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Standard input contains no key.'),
    });
    const { stderr } = await here(['logout'], { env: blank });
    expect(stderr).toBe(`Removed ${home.saved}.\n`);
  });

  it('is read from a pipe that stays open', async ({ server, home }) => {
    const login = startScreener(['login', '--base-url', server.baseUrl], { home });
    login.child.stdin?.write(`\n  ${KEY}\r\n`);
    expect(await login.done).toMatchObject({ code: 0 });
    expect(JSON.parse(readFileSync(home.saved, 'utf8'))).toMatchObject({ key: KEY });
  });

  it.for([true, false])(
    'of a file in UTF-16 is refused with the reason (ends with a line break: %s)',
    async (isLine, { server, home }) => {
      const login = startScreener(['login', '--base-url', server.baseUrl], { home });
      login.child.stdin?.end(Buffer.from(`\ufeff${KEY}${isLine ? '\r\n' : ''}`, 'utf16le'));
      const said =
        'error: The key is encoded as UTF-16. In Windows PowerShell, `>` writes files this way.\n' +
        'hint: Save the file as plain text (UTF-8), or run `screener login` on a terminal.\n';
      expect(await login.done).toMatchObject({ code: 2, stdout: '', stderr: said });
      expect(server.requests).toEqual([]);
    },
  );

  it('keeps its permissions whatever the umask is', async ({ server, home }) => {
    const line = `umask 000; printf '%s\\n' '${KEY}' | screener login --base-url http://127.0.0.1:${server.port}; screener access`;
    expect((await runShell(line, { home })).code).toBe(0);
    expect({ file: modeOf(home.saved), folder: modeOf(home.config) }).toEqual({
      file: '0600',
      folder: '0700',
    });
    // The prefix was appended.
    expect(JSON.parse(readFileSync(home.saved, 'utf8'))).toEqual({
      baseUrl: server.baseUrl,
      key: KEY,
    });
    const ledger = filesWith(home.state, '"requests"').map(modeOf);
    expect(new Set(ledger)).toEqual(new Set(['0600']));
  });

  it('a failed login leaves the old one, byte by byte', async ({ server, here, home }) => {
    expect((await here(['login'], { stdin: KEY, env: { SCREENER_API_KEY: undefined } })).code).toBe(
      0,
    );
    const before = readFileSync(home.saved);
    // The server refuses every other key with 401.
    expect(await here(['login', '--json'], { stdin: OTHER })).toMatchObject({
      code: 3,
      stdout: '',
    });
    server.always('/access', failure(503, 3600));
    expect((await here(['login', '--max-wait', '0'], { stdin: KEY })).code).toBe(8);
    expect((await here(['login'], { stdin: 'two words' })).code).toBe(2);
    expect(readFileSync(home.saved)).toEqual(before);
    expect(filesWith(home.folder, OTHER)).toEqual([]);
  });

  it('is said by no command and in no file but the config', async ({ server, here, home }) => {
    server
      .holds(samples.cards(30))
      .always('/market-snapshot', failure(422, undefined, `bad key ${KEY}!`))
      .always('/signal-stats', {
        body: JSON.stringify({ hasError: true, response: null, errors: `no: ${KEY}` }),
      })
      .always('/screeners', { delivery: 'reset' });
    const history = path.join(home.folder, 'history');
    const runs = [
      await here(['login', '-v'], { stdin: KEY }),
      await here(['access', '-v', '--json']),
      await here(['signals', 'ls', '--all', '-v', '--csv']),
      await here([
        'signals',
        'export',
        history,
        '-v',
        '--no-screeners',
        '--no-stats',
        '--max-credits',
        '9',
      ]),
      await here(['signals', 'watch', '-v', '--since', '30d'], {
        interruptAt: (millis) => millis > 60_000,
      }),
      await here(['snapshot', '-v', '--json']),
      await here(['snapshot', '-v']),
      await here(['stats', '-v', '--json']),
      await here(['screeners', '-v', '--json', '--max-wait', '0']),
      await here(['login', '-v'], { stdin: `${KEY} ${KEY}` }),
      await here(['access', '--key', KEY.slice(0, 3)]),
      await here(['access', '-v'], { env: { SCREENER_BASE_URL: 'http://127.0.0.1:1' } }),
    ];
    const areWithKey = runs.map(({ stdout, stderr }) => `${stdout}${stderr}`.includes(KEY));
    expect(areWithKey).toEqual(runs.map(() => false));
    expect(runs.map(({ code }) => code)).toEqual([0, 0, 0, 0, 130, 6, 6, 9, 8, 2, 2, 8]);
    expect(runs[2]?.stderr).toMatch(/GET \/signals\?limit=25 200 in \d+ ms/);
    expect(filesWith(home.folder, KEY)).toEqual([home.saved]);
  });

  it('is hidden however the service spells it', async ({ server, here }) => {
    const key = String.raw`sk_"quoted"\and/more+%`;
    server.key = key;
    const json = JSON.stringify(key).slice(1, -1);
    const hexOf = (sign: string) => sign.charCodeAt(0).toString(16).padStart(2, '0');
    const spellings = {
      plain: key,
      JSON: json,
      'JSON in JSON': JSON.stringify(json).slice(1, -1),
      "PHP's JSON": json.replaceAll('/', String.raw`\/`),
      'JSON, all of it escaped': key.replace(/\W/g, (sign) => `\\u00${hexOf(sign)}`),
      URL: encodeURIComponent(key),
      'URL, small letters': encodeURIComponent(key).toLowerCase(),
    };
    for (const [name, spelling] of Object.entries(spellings)) {
      server.always('/market-snapshot', failure(401, undefined, `no such key: ${spelling}!`));
      for (const format of ['table', 'json']) {
        const env = { SCREENER_API_KEY: key };
        const ran = await here(['snapshot', '-o', format], { env });
        const said = ran.stderr.replace(/\s+/g, ' ');
        expect({ name, format, code: ran.code, said }).toEqual({
          ...{ name, format, code: 3 },
          said: expect.stringContaining('The service said: no such key: [key]!'),
        });
      }
    }
  });

  it('is not taken from a place that others control', async ({ server, here, home }) => {
    const login = () => here(['login'], { stdin: KEY, env: { SCREENER_API_KEY: undefined } });
    const use = () => here(['access', '--json'], { env: BARE });
    expect((await login()).code).toBe(0);

    chmodSync(home.saved, 0o644);
    const open = await use();
    expect(open.code, open.stderr).toBe(3);
    expect(errorLine(open.stderr).hint).toContain('chmod 600');
    chmodSync(home.saved, 0o600);

    chmodSync(home.config, 0o777);
    expect((await use()).code).toBe(3);
    expect((await login()).code).toBe(3);
    chmodSync(home.config, 0o700);

    renameSync(home.saved, path.join(home.folder, 'elsewhere.json'));
    symlinkSync(path.join(home.folder, 'elsewhere.json'), home.saved);
    const linked = await use();
    expect(linked.code, linked.stderr).toBe(3);
    expect(linked.stderr).toContain('symbolic link');
    expect((await login()).code).toBe(3);
    expect(server.requests).toHaveLength(3);
  });

  it('a corrupt file names itself and what to do; login mends it', async ({ here, home }) => {
    mkdirSync(home.config, { mode: 0o700 });
    for (const rubbish of ['{"baseUrl":', '{"baseUrl":1,"key":null}', '']) {
      writeFileSync(home.saved, rubbish, { mode: 0o600 });
      const ran = await here(['access', '--json'], { env: BARE });
      expect(ran, `saved: ${rubbish}`).toMatchObject({ code: 3, stdout: '' });
      expect(errorLine(ran.stderr).message, `saved: ${rubbish}`).toContain(home.saved);
      expect(errorLine(ran.stderr).hint, `saved: ${rubbish}`).toContain('Delete it');
    }
    expect((await here(['login'], { stdin: KEY, env: { SCREENER_API_KEY: undefined } })).code).toBe(
      0,
    );
    expect((await here(['access'], { env: BARE })).code).toBe(0);
  });

  it('that was saved goes only to the base URL it was saved for', async ({ server, here }) => {
    const elsewhere = await ApiServer.start();
    const counts = () => ({ server: server.requests.length, elsewhere: elsewhere.requests.length });
    await here(['login'], { stdin: KEY, env: { SCREENER_API_KEY: undefined } });
    for (const command of ['access --json'.split(' '), 'signals ls --plan'.split(' ')]) {
      const byEnv = await here(command, { env: { ...BARE, SCREENER_BASE_URL: elsewhere.baseUrl } });
      const byFlag = await here([...command, '--base-url', elsewhere.baseUrl], { env: BARE });
      for (const { code, stdout, stderr } of [byEnv, byFlag]) {
        expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
        expect(stderr, command.join(' ')).toMatch(/saved key is for http.*not for http/);
      }
    }
    expect(counts()).toEqual({ server: 1, elsewhere: 0 });
    const own = { SCREENER_API_KEY: KEY, SCREENER_BASE_URL: elsewhere.baseUrl };
    expect((await here(['access'], { env: own })).code).toBe(0);
    // The flag goes before the environment.
    expect(
      (await here(['access', '--base-url', `http://127.0.0.1:${server.port}`], { env: own })).code,
    ).toBe(0);
    expect(counts()).toEqual({ server: 2, elsewhere: 1 });
    await elsewhere.close();
  });
});

it.skipIf(process.geteuid?.() !== 0 || process.platform !== 'linux')(
  'a user of a container, in no list and without HOME, can log in',
  async ({ server, home }) => {
    for (const folder of [home.folder, programFolder()]) chmodSync(folder, 0o755);
    const own = path.join(home.folder, 'own');
    mkdirSync(own, { mode: 0o777 });
    chmodSync(own, 0o777);
    const env = {
      HOME: undefined,
      SCREENER_CONFIG_DIR: path.join(own, 'config'),
      SCREENER_STATE_DIR: path.join(own, 'state'),
      SCREENER_BASE_URL: server.baseUrl,
    };
    const nobody = ['setpriv', '--reuid', '54321', '--regid', '54321', '--clear-groups'];
    const running = startCommand([...nobody, process.execPath, programPath(), 'login'], {
      home,
      env,
    });
    running.child.stdin?.end(`${KEY}\n`);
    const ran = await running.done;
    expect(ran, ran.stderr).toMatchObject({ code: 0 });
    expect(ran.stderr).toContain(`saved in ${path.join(own, 'config', 'config.json')}`);
  },
);

it.skipIf(process.geteuid?.() !== 0 || process.platform !== 'linux')(
  'that cannot be read names what is closed, folder or file, and is not called missing by logout',
  async ({ home }) => {
    for (const folder of [home.folder, programFolder()]) chmodSync(folder, 0o755);
    const config = path.join(home.folder, 'closed');
    const saved = path.join(config, 'config.json');
    mkdirSync(config);
    writeFileSync(saved, JSON.stringify({ baseUrl: 'http://localhost', key: KEY }));
    for (const place of [saved, config]) chownSync(place, 54321, 54321);
    chmodSync(config, 0);
    const env = { HOME: undefined, SCREENER_CONFIG_DIR: config, SCREENER_STATE_DIR: undefined };
    const nobody = ['setpriv', '--reuid', '54321', '--regid', '54321', '--clear-groups'];
    const runAsNobody = (command: string) =>
      startCommand([...nobody, process.execPath, programPath(), command], { home, env }).done;
    expect(await runAsNobody('logout')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`error: Cannot remove ${saved}: permission denied`),
    });
    expect(await runAsNobody('access')).toMatchObject({
      code: 3,
      stderr: `error: ${config} cannot be read (EACCES).\nhint: Correct its permissions.\n`,
    });
    chmodSync(config, 0o700);
    chmodSync(saved, 0);
    expect(await runAsNobody('access'), 'a file that cannot be read is named').toMatchObject({
      code: 3,
      stderr: `error: ${saved} cannot be read (EACCES).\nhint: Correct its permissions.\n`,
    });
    expect(await runAsNobody('logout')).toMatchObject({ code: 0, stderr: `Removed ${saved}.\n` });
  },
);
