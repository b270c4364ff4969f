'use strict';

/**
 * Gives a process the date of the tests, whatever the machine's calendar says: `node --require moved-date.cjs`. Waits
 * take as long as ever. From the environment come milliseconds:
 *   SCREENER_TEST_LATER        by which its date lies after the machine's
 *   SCREENER_TEST_FILES_LATER  by which the times of its files lie after those that the machine gives them
 */
const fs = require('node:fs');
const { syncBuiltinESMExports } = require('node:module');

const LATER = Number(process.env.SCREENER_TEST_LATER || 0);
const FILES_LATER = Number(process.env.SCREENER_TEST_FILES_LATER || 0);

const MachineDate = Date;
const now = () => MachineDate.now() + LATER;

/**
 * As the machine's, but for the present. A function with that prototype: a Proxy made each date ten times as slow.
 * @param {ConstructorParameters<typeof Date>} given
 */
function MovedDate(...given) {
  if (new.target === undefined) return new MachineDate(now()).toString();
  if (given.length === 0) return new MachineDate(now());
  return new MachineDate(...given);
}

// `Date.UTC`, `Date.parse`, `Date.prototype` and the rest are the machine's.
Object.defineProperties(MovedDate, {
  ...Object.getOwnPropertyDescriptors(MachineDate),
  now: { value: now, writable: true, configurable: true },
});

globalThis.Date = /** @type {DateConstructor} */ (/** @type {unknown} */ (MovedDate));

// Of the times of files, the program reads a lock's, and sets them.
const { lstatSync, utimesSync, utimes } = fs;

fs.lstatSync = (...given) => {
  const stats = lstatSync(...given);
  if (stats !== undefined && typeof stats.mtimeMs === 'number') stats.mtimeMs += FILES_LATER;
  return stats;
};

/** @param {number | Date} time seconds, or a date */
function asOfMachine(time) {
  const millis = typeof time === 'number' ? time * 1000 : time.getTime();
  return new MachineDate(millis - FILES_LATER);
}

fs.utimesSync = (file, read, written) => utimesSync(file, asOfMachine(read), asOfMachine(written));

fs.utimes = (file, read, written, done) =>
  utimes(file, asOfMachine(read), asOfMachine(written), done);

// Who imports them by name gets these, too.
syncBuiltinESMExports();
