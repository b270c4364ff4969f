/** Files of this program: plain ones, whole or not at all, line by line; and errors that help. */
import { execFileSync } from 'node:child_process';
import system, {
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import timers from 'node:timers/promises';
import { describe, expect, vi } from 'vitest';
import { DAY } from '../../src/base/units.ts';
import {
  appendLine,
  readInputFile,
  removeTemporaryFiles,
  replaceFile,
  withStorageErrors,
  writeOutputFile,
} from '../../src/runtime/files.ts';
import { keptFile } from '../../src/runtime/kept-file.ts';
import {
  checkWritable,
  errnoOf,
  forEachLine,
  isMissing,
  makeFolders,
  readPlainBytes,
  readPlainFile,
  withPlainFile,
} from '../../src/runtime/plain-file.ts';
import { modeOf } from '../support/files.ts';
import { it } from '../support/fixtures.ts';
import { writeCards } from '../support/history.ts';
import { NOW } from '../support/in-process.ts';
import * as samples from '../support/samples.ts';

describe('lines of a file', () => {
  const linesOf = (file: string, most = 1e9) => {
    const lines: string[] = [];
    forEachLine(file, most, (line) => lines.push(line));
    return lines;
  };

  it.for([
    { text: '', lines: [''] },
    { text: 'a\nb\n', lines: ['a', 'b', ''] },
    { text: 'a\n\nb', lines: ['a', '', 'b'] },
  ])('$text', ({ text, lines }, { home }) => {
    const file = path.join(home.folder, 'lines');
    writeFileSync(file, text);
    expect(linesOf(file)).toEqual(lines);
  });

  it('are whole where a piece ends within one, and within a letter', ({ home }) => {
    const file = path.join(home.folder, 'lines');
    const long = 'ä'.repeat(2 ** 20);
    writeFileSync(file, `x${long}\nend`);
    expect(
      linesOf(file).map((line) => ({ length: line.length, isDamaged: line.includes('�') })),
    ).toEqual([
      { length: 2 ** 20 + 1, isDamaged: false },
      { length: 3, isDamaged: false },
    ]);
  });

  it('are whole where the file ends within a letter', ({ home }) => {
    const file = path.join(home.folder, 'lines');
    writeFileSync(file, Buffer.from([0x61, 0x0a, 0xe2]));
    const lines: string[] = [];
    forEachLine(file, 10, (line) => lines.push(line));
    expect(lines).toEqual(['a', '\ufffd']);
  });

  it('are none of a file that is not there, and of one that is too large or no file an error', ({
    home,
  }) => {
    const file = path.join(home.folder, 'lines');
    writeFileSync(file, '12345');
    expect({ missing: linesOf(path.join(home.folder, 'none')), fits: linesOf(file, 5) }).toEqual({
      missing: [],
      fits: ['12345'],
    });
    expect(() => linesOf(file, 4)).toThrow(
      expect.objectContaining({
        code: 'storage',
        message: `${file} has 5 bytes: this program never writes a file that large.`,
      }),
    );
    expect(() => linesOf(home.folder)).toThrow(
      expect.objectContaining({ code: 'storage', message: expect.stringContaining('plain file') }),
    );
  });
});

describe('a plain file', () => {
  it('is read up to its largest size, and is undefined where there is none', ({ home }) => {
    const file = path.join(home.folder, 'file');
    writeFileSync(file, '12345');
    expect({
      whole: readPlainFile(file, 5),
      missing: readPlainFile(path.join(home.folder, 'none'), 5),
      belowAFile: readPlainFile(path.join(file, 'below'), 5),
    }).toEqual({ whole: '12345', missing: undefined, belowAFile: undefined });
    expect(() => readPlainBytes(file, 4)).toThrow(
      expect.objectContaining({
        code: 'storage',
        message: `${file} has 5 bytes: this program never writes a file that large.`,
      }),
    );
  });

  it.for(['link', 'pipe', 'folder'])('is no %s', (kind, { home }) => {
    const place = path.join(home.folder, kind);
    if (kind === 'link') {
      writeFileSync(path.join(home.folder, 'target'), 'text');
      symlinkSync(path.join(home.folder, 'target'), place);
    } else if (kind === 'pipe') execFileSync('mkfifo', [place]);
    else mkdirSync(place);

    expect(() => withPlainFile(place, constants.O_RDONLY, () => 'read')).toThrow(
      expect.objectContaining({
        code: 'storage',
        message: `${place} is a symbolic link, a device or a pipe where a plain file belongs.`,
      }),
    );
  });
});

describe('a file that is written', () => {
  it('is replaced whole, closed to others, and nothing is left beside it', async ({ home }) => {
    const file = path.join(home.folder, 'file');
    await replaceFile(file, 'old');
    await replaceFile(file, 'new');
    const shared = path.join(home.folder, 'shared');
    await replaceFile(shared, 'for all', 0o644);
    expect({
      text: readFileSync(file, 'utf8'),
      mode: modeOf(file),
      sharedMode: modeOf(shared),
      names: readdirSync(home.folder).filter((name) => /file|shared/.test(name)),
    }).toEqual({ text: 'new', mode: '0600', sharedMode: '0644', names: ['file', 'shared'] });
  });

  it('stays as it is, with nothing beside it, where it cannot be replaced', async ({ home }) => {
    const folder = path.join(home.folder, 'taken');
    mkdirSync(path.join(folder, 'file', 'inside'), { recursive: true });
    await expect(replaceFile(path.join(folder, 'file'), 'new')).rejects.toMatchObject({
      code: 'storage',
      message: expect.stringMatching(`^Cannot write ${path.join(folder, 'file')}: `),
    });
    expect(readdirSync(folder)).toEqual(['file']);
  });

  it('is no success where its folder cannot be synced', async ({ home }) => {
    const folder = path.join(home.folder, 'synced');
    mkdirSync(folder);
    const broken = Object.assign(new Error('EIO: the disk fails, open'), { code: 'EIO' });
    const open = system.openSync;
    const spy = vi.spyOn(system, 'openSync').mockImplementation((opened, ...how) => {
      if (opened === folder) throw broken;
      return open(opened, ...how);
    });
    syncBuiltinESMExports();
    const error = { code: 'storage', message: expect.stringContaining('the disk fails') };
    await expect(replaceFile(path.join(folder, 'file'), 'new')).rejects.toMatchObject(error);
    await expect(appendLine(path.join(folder, 'lines'), 'one')).rejects.toMatchObject(error);
    spy.mockRestore();
    syncBuiltinESMExports();
  });

  it('is given up after five seconds where another program never closes it', async ({ home }) => {
    const waits: number[] = [];
    let isWaiting = false;
    const triedWhileWaiting: boolean[] = [];
    vi.spyOn(timers, 'setTimeout').mockImplementation(async (millis = 0) => {
      if (waits.length === 100) throw new Error('It is tried for ever.');
      waits.push(millis);
      isWaiting = true;
      await Promise.resolve();
      isWaiting = false;
    });
    vi.spyOn(system, 'renameSync').mockImplementation(() => {
      triedWhileWaiting.push(isWaiting);
      throw Object.assign(new Error('EBUSY: open elsewhere'), { code: 'EBUSY' });
    });
    syncBuiltinESMExports();
    try {
      const replacing = replaceFile(path.join(home.folder, 'state'), 'new');
      await expect(replacing).rejects.toMatchObject({ code: 'storage' });
    } finally {
      vi.restoreAllMocks();
      syncBuiltinESMExports();
    }
    const seconds = waits.reduce((sum, millis) => sum + millis, 0) / 1000;
    expect(Math.round(seconds)).toBe(5);
    expect(triedWhileWaiting, 'whether a try came before its wait was over').not.toContain(true);
    expect(readdirSync(home.folder)).toEqual([]);
  });

  it.skipIf(process.platform !== 'linux')('is left open by nobody', async ({ home }) => {
    const openFiles = () => readdirSync('/proc/self/fd').length;
    const before = openFiles();
    for (let i = 0; i < 40; i += 1) await replaceFile(path.join(home.folder, 'state'), String(i));
    // Other work of this process may have a file open for a moment.
    expect(openFiles()).toBeLessThan(before + 20);
  });

  it('has each line on its own, also after one that was cut', async ({ home }) => {
    const file = path.join(home.folder, 'lines');
    await appendLine(file, 'one');
    await appendLine(file, 'two');
    writeFileSync(file, 'one\ntw');
    await appendLine(file, 'three');
    expect({ text: readFileSync(file, 'utf8'), mode: modeOf(file) }).toEqual({
      text: 'one\ntw\nthree\n',
      mode: '0600',
    });
  });

  it('keeps the mode that its user gave it, and is made where a link leads', async ({ home }) => {
    const file = path.join(home.folder, 'page.html');
    writeFileSync(file, 'old');
    chmodSync(file, 0o640);
    const link = path.join(home.folder, 'link');
    symlinkSync(file, link);
    const nowhere = path.join(home.folder, 'nowhere');
    symlinkSync(path.join(home.folder, 'later.html'), nowhere);
    await writeOutputFile(link, 'new');
    await writeOutputFile(nowhere, 'later');
    await writeOutputFile(path.join(home.folder, 'fresh.html'), 'fresh');
    expect({
      text: readFileSync(file, 'utf8'),
      mode: modeOf(file),
      later: readFileSync(path.join(home.folder, 'later.html'), 'utf8'),
      fresh: modeOf(path.join(home.folder, 'fresh.html')),
    }).toEqual({ text: 'new', mode: '0640', later: 'later', fresh: '0600' });
    await expect(writeOutputFile(home.folder, 'page')).rejects.toMatchObject({
      code: 'storage',
      message: `${home.folder} is a folder.`,
      hint: `Name a file, such as ${path.join(home.folder, 'report.html')}`,
    });
  });

  it('is an error where its folder is missing', async ({ home }) => {
    const file = path.join(home.folder, 'nowhere', 'page.html');
    await expect(writeOutputFile(file, 'page')).rejects.toMatchObject({
      code: 'storage',
      message: `Cannot write ${file}: no such file or directory`,
    });
  });

  it.skipIf(!existsSync('/dev/full'))(
    'is an error where a device takes nothing',
    async ({ here, home, server }) => {
      const from = writeCards(path.join(home.folder, 'history'), [
        samples.nthSettled(1, NOW - 2 * DAY),
      ]);
      const { code, stdout, stderr } = await here(['report', '/dev/full', '--from', from]);
      expect({ code, stdout, stderr, requests: server.requests }).toEqual({
        code: 1,
        stdout: '',
        stderr:
          'error: Cannot write /dev/full: no space left on device\n' +
          'hint: There is no room. Free some and run the command again: it continues from what was saved.\n',
        requests: [],
      });
    },
  );

  it('is rid of what a killed process left beside it, and of nothing else', async ({ home }) => {
    const names = ['a.0123456789ab.tmp', 'a.tmp', 'a.0123456789ab.tmp.txt', 'a.0123.tmp'];
    const folder = path.join(home.folder, 'left');
    mkdirSync(folder);
    for (const name of names) writeFileSync(path.join(folder, name), '');
    await removeTemporaryFiles(folder);
    expect(readdirSync(folder).toSorted()).toEqual(names.slice(1).toSorted());
  });
});

describe('a file that a user names', () => {
  it('is read without its byte order mark', async ({ home }) => {
    const file = path.join(home.folder, 'cards.json');
    writeFileSync(file, '\ufeff{}');
    expect(await readInputFile(file)).toBe('{}');
  });

  it('is said to be missing, or to be a folder', async ({ home }) => {
    const missing = path.join(home.folder, 'none');
    const hint = 'Name a file, or - for standard input.';
    await expect(readInputFile(missing)).rejects.toMatchObject({
      code: 'storage',
      message: `There is no file ${missing}.`,
      hint,
    });
    await expect(readInputFile(home.folder)).rejects.toMatchObject({
      code: 'storage',
      message: `${home.folder} is a folder.`,
      hint,
    });
  });
});

describe('what the system says of file work', () => {
  const failing = (code: string, message: string) => () => {
    throw Object.assign(new Error(message), { code });
  };

  it.for([
    {
      code: 'ENOSPC',
      hint: 'There is no room. Free some and run the command again: it continues from what was saved.',
    },
    {
      code: 'EFBIG',
      hint: 'A limit of the shell (`ulimit -f`) or of the file system forbids it. Raise it and run the command again: it continues from what was saved.',
    },
    { code: 'EACCES', hint: 'Check who owns the directory and its files, and their permissions.' },
    { code: 'EROFS', hint: 'Choose another place.' },
    { code: 'ENOENT', hint: 'Make that directory, or choose another.' },
    {
      code: 'EIO',
      hint: 'Check the directory and run the command again: it continues from what was saved.',
    },
  ])('$code is told in words, with what to do', async ({ code, hint }) => {
    const work = failing(code, `${code}: the reason, open '/a/b.0123456789ab.tmp'`);
    await expect(withStorageErrors('write /a/b', work)).rejects.toMatchObject({
      code: 'storage',
      message: 'Cannot write /a/b: the reason',
      hint,
    });
  });

  it('is left alone where it is no word of the system', async () => {
    await expect(withStorageErrors('write /a', failing('ERR_X', 'a mistake'))).rejects.toThrow(
      /^a mistake$/,
    );
    expect({
      system: errnoOf(Object.assign(new Error(), { code: 'EXDEV' })),
      node: errnoOf(Object.assign(new Error(), { code: 'ERR_X' })),
      number: errnoOf(Object.assign(new Error(), { code: 5 })),
      text: errnoOf('ENOENT'),
    }).toEqual({ system: 'EXDEV', node: undefined, number: undefined, text: undefined });
    const belowFile = Object.assign(new Error(), { code: 'ENOTDIR' });
    expect(isMissing(belowFile), 'whether what would be below a file is missing').toBe(true);
  });
});

describe('folders', () => {
  it('are made with those above, closed to others, and may be there', ({ home }) => {
    const folder = path.join(home.folder, 'a', 'b', 'c');
    makeFolders(folder);
    makeFolders(folder);
    expect({ above: modeOf(path.dirname(folder)), folder: modeOf(folder) }).toEqual({
      above: '0700',
      folder: '0700',
    });
    writeFileSync(path.join(home.folder, 'file'), '');
    expect(() => makeFolders(path.join(home.folder, 'file'))).toThrow(/EEXIST/);
    expect(() => checkWritable(path.join(home.folder, 'x', 'y'))).not.toThrow();
    expect(existsSync(path.join(home.folder, 'x')), 'whether a check makes a folder').toBe(false);
  });
});

describe('what is kept for a later command', () => {
  const numberIn = (value: unknown) => {
    if (typeof value !== 'number') throw new Error('no number');
    return value;
  };

  it('is read as it was written, and is none where it is missing or not to be read', async ({
    home,
  }) => {
    const state = path.join(home.folder, 'state');
    const file = keptFile(state, 'below/kept.json', numberIn);
    const before = file.read();
    expect({ before, isSaved: await file.tryToWrite(7), after: file.read() }).toEqual({
      before: undefined,
      isSaved: true,
      after: 7,
    });
    for (const text of ['"seven"', '{', '']) {
      writeFileSync(path.join(state, 'below', 'kept.json'), text);
      expect({ text, value: file.read() }).toEqual({ text, value: undefined });
    }
  });

  it('is not written below a file, which ends no command unless it must', async ({ home }) => {
    writeFileSync(path.join(home.folder, 'state'), '');
    const file = keptFile(path.join(home.folder, 'state'), 'kept.json', numberIn);
    expect({ isSaved: await file.tryToWrite(7) }).toEqual({ isSaved: false });
    await expect(file.write(7)).rejects.toMatchObject({ code: 'storage' });
  });

  it('cannot be kept in a link that leads nowhere, which ends no command', async ({
    here,
    home,
    server,
  }) => {
    symlinkSync(path.join(home.folder, 'nowhere'), home.state);
    const { code, stdout, stderr } = await here(['snapshot', '--json']);
    expect({
      code,
      snapshot: JSON.parse(stdout),
      stderr,
      requests: server.requests.map((request) => request.path),
      credits: server.credits,
    }).toEqual({
      code: 0,
      snapshot: samples.snapshot(),
      stderr:
        `warning: The ledger in ${home.state} cannot be used (EEXIST): this command cannot know what others spend.\n` +
        '1 credit spent; 149 left today.\n',
      requests: ['/market-snapshot'],
      credits: 1,
    });
  });
});
