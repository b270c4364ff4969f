'use strict';
// Loaded before the program (node --require): wine's file system is kinder than NT's, and its sockets lack an option.
//
// - A handle that was opened for appending does not shorten its file (EPERM).
// - A rename over a file fails for a while, as when a reader or a virus scanner has it open (EPERM, EBUSY, EACCES).
// - A directory cannot be synced (EPERM).
const fs = require('node:fs');
const net = require('node:net');

net.Socket.prototype.setKeepAlive = function () {
  return this;
};

const refused = (code, call) => Object.assign(new Error(`${code}: ${call}, injected`), { code, syscall: call });
const appends = (flags) =>
  typeof flags === 'string' ? flags.startsWith('a') : ((flags ?? 0) & fs.constants.O_APPEND) !== 0;

/** How often a rename over each file was refused: thrice in a row, then it works once. */
const refusals = new Map();
function beforeRename(target) {
  if (!fs.existsSync(target)) return;
  const count = refusals.get(target) ?? 0;
  refusals.set(target, (count + 1) % 4);
  if (count < 3) throw refused(['EPERM', 'EBUSY', 'EACCES'][count], 'rename');
}

const { rename, open } = fs.promises;
const { renameSync, openSync, ftruncateSync } = fs;
fs.promises.rename = async (from, to) => {
  beforeRename(String(to));
  return rename(from, to);
};
fs.renameSync = (from, to) => {
  beforeRename(String(to));
  return renameSync(from, to);
};
fs.promises.open = async (path, flags, mode) => {
  const handle = await open(path, flags, mode);
  if (appends(flags)) handle.truncate = () => Promise.reject(refused('EPERM', 'ftruncate'));
  if ((await handle.stat()).isDirectory()) handle.sync = () => Promise.reject(refused('EPERM', 'fsync'));
  return handle;
};
const appending = new Set();
fs.openSync = (path, flags, mode) => {
  const descriptor = openSync(path, flags, mode);
  appending.delete(descriptor);
  if (appends(flags)) appending.add(descriptor);
  return descriptor;
};
fs.ftruncateSync = (descriptor, length) => {
  if (appending.has(descriptor)) throw refused('EPERM', 'ftruncate');
  return ftruncateSync(descriptor, length);
};
