import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { findProgram } from '../../src/runtime/programs.ts';
import { it } from '../support/fixtures.ts';

it('on Windows a program comes from PATH, never from the current folder', ({ home }) => {
  const folder = path.join(home.folder, 'bin');
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'less.exe'), '');
  const found = path.join(folder, 'less.exe');
  expect(findProgram('less', { Path: `.;;bin;${folder}` }, 'win32')).toBe(found);
  expect(findProgram('LESS.EXE'.toLowerCase(), { PATH: folder }, 'win32')).toBe(found);
  expect(findProgram(found, { PATH: '' }, 'win32')).toBe(found);
  for (const name of ['less', './less.exe', 'bin/less.exe']) {
    expect(findProgram(name, { PATH: '.;bin' }, 'win32')).toBe(undefined);
  }
});

it('elsewhere the system finds it', () => {
  expect(findProgram('less', { PATH: '' }, 'linux')).toBe('less');
});
