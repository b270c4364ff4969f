/** The file that `login` writes: whose it is, who may read it, and what a broken one says. */
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { readSettings, removeSettings, writeSettings } from '../../src/config/settings.ts';
import { modeOf } from '../support/files.ts';
import { it } from '../support/fixtures.ts';

const SETTINGS = { baseUrl: 'https://api.example/api/external/v1', key: 'sk_a' };
const OTHERS = { baseUrl: 'https://api.example/api/external/v1', key: 'sk_b' };

describe.concurrent('what login saves', () => {
  it('is read as it was written, and gone when it is removed', async ({ home }) => {
    expect(readSettings(home.config)).toBeUndefined();
    const file = await writeSettings(home.config, SETTINGS);
    expect({ file, settings: readSettings(home.config) }).toEqual({
      file: home.saved,
      settings: SETTINGS,
    });
    await writeSettings(home.config, OTHERS);
    expect(readSettings(home.config)).toEqual(OTHERS);
    expect(await removeSettings(home.config)).toEqual({ linkTarget: undefined });
    expect({ isThere: existsSync(home.saved), removed: await removeSettings(home.config) }).toEqual(
      { isThere: false, removed: undefined },
    );
  });

  it.for([
    { name: 'a folder of its own', others: [], mode: '0700' },
    { name: 'a folder with other files', others: ['other.txt'], mode: '0755' },
  ])('closes $name: $mode', async ({ others, mode }, { home }) => {
    mkdirSync(home.config);
    chmodSync(home.config, 0o755);
    for (const name of others) writeFileSync(path.join(home.config, name), '');
    await writeSettings(home.config, SETTINGS);
    await writeSettings(home.config, SETTINGS);
    expect({ folder: modeOf(home.config), file: modeOf(home.saved) }).toEqual({
      folder: mode,
      file: '0600',
    });
  });

  it('closes an older file that was its own, but not as closed', async ({ home }) => {
    await writeSettings(home.config, SETTINGS);
    chmodSync(home.saved, 0o700);
    await writeSettings(home.config, OTHERS);
    expect({ file: modeOf(home.saved), settings: readSettings(home.config) }).toEqual({
      file: '0600',
      settings: OTHERS,
    });
  });

  it.for([
    { place: 'config', mode: 0o711, isFine: true },
    { place: 'config', mode: 0o755, isFine: true },
    { place: 'config', mode: 0o720, isFine: false },
    { place: 'config', mode: 0o702, isFine: false },
    { place: 'saved', mode: 0o400, isFine: true },
    { place: 'saved', mode: 0o610, isFine: false },
    { place: 'saved', mode: 0o640, isFine: false },
    { place: 'saved', mode: 0o604, isFine: false },
  ] as const)('$place with mode $mode can be used: $isFine', async (row, { home }) => {
    await writeSettings(home.config, SETTINGS);
    chmodSync(home[row.place], row.mode);
    if (row.isFine) return expect(readSettings(home.config)).toEqual(SETTINGS);
    const remedy = row.place === 'config' ? 'chmod 700' : 'chmod 600';
    expect(() => readSettings(home.config)).toThrow(
      expect.objectContaining({
        code: 'not_logged_in',
        message: `${home[row.place]} is open to other users.`,
        hint: `Run \`${remedy} ${home[row.place]}\`, then run \`screener login\`.`,
      }),
    );
  });

  it.for(['{"baseUrl":"https://api.example"}', '{"key":"sk_a"}', '{}', 'null', '', '[1'])(
    'that is %s is corrupt',
    async (text, { home }) => {
      await writeSettings(home.config, SETTINGS);
      writeFileSync(home.saved, text);
      expect(() => readSettings(home.config)).toThrow(
        expect.objectContaining({
          code: 'not_logged_in',
          message: `${home.saved} is corrupt.`,
          hint: 'Delete it, then run `screener login`.',
        }),
      );
    },
  );

  it('is small: a file of more than 1 MiB is none that this program wrote', async ({ home }) => {
    await writeSettings(home.config, SETTINGS);
    const padded = (length: number) => JSON.stringify(SETTINGS).padEnd(length);
    writeFileSync(home.saved, padded(2 ** 20));
    expect(readSettings(home.config)).toEqual(SETTINGS);
    writeFileSync(home.saved, padded(2 ** 20 + 1));
    expect(() => readSettings(home.config)).toThrow(
      expect.objectContaining({
        code: 'storage',
        message: `${home.saved} has ${2 ** 20 + 1} bytes: this program never writes a file that large.`,
      }),
    );
  });

  it('is a plain file: a folder in its place is named, and neither read, written nor removed', async ({
    home,
  }) => {
    mkdirSync(home.saved, { recursive: true });
    chmodSync(home.config, 0o700);
    const isNoFile = expect.objectContaining({
      code: 'not_logged_in',
      message: `${home.saved} is not a plain file, but a symbolic link, a folder or a device.`,
    });
    expect(() => readSettings(home.config)).toThrow(isNoFile);
    await expect(writeSettings(home.config, SETTINGS)).rejects.toThrow(isNoFile);
    await expect(removeSettings(home.config)).rejects.toThrow(
      expect.objectContaining({ code: 'storage' }),
    );
    expect(statSync(home.saved).isDirectory(), "the settings' place is a folder").toBe(true);
  });

  it('cannot be saved below a file, which is said', async ({ home }) => {
    writeFileSync(path.join(home.folder, 'file'), 'kept');
    const below = path.join(home.folder, 'file', 'config');
    expect(readSettings(below)).toBeUndefined();
    await expect(writeSettings(below, SETTINGS)).rejects.toThrow(
      expect.objectContaining({ code: 'storage' }),
    );
    expect(readFileSync(path.join(home.folder, 'file'), 'utf8')).toBe('kept');
  });

  it.skipIf(process.geteuid?.() !== 0)(
    'that another user owns is not used, nor its folder',
    async ({ home }) => {
      const { chownSync } = await import('node:fs');
      for (const place of [home.saved, home.config]) {
        await writeSettings(home.config, SETTINGS);
        chownSync(place, 54_321, 54_321);
        const isOthers = expect.objectContaining({
          code: 'not_logged_in',
          message: `${place} belongs to another user.`,
        });
        expect(() => readSettings(home.config), place).toThrow(isOthers);
        await expect(writeSettings(home.config, SETTINGS), place).rejects.toThrow(isOthers);
        chownSync(place, 0, 0);
      }
    },
  );
});
