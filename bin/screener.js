#!/usr/bin/env node
'use strict';

// CommonJS (see package.json beside this file), as the bundle is: it starts sooner than an ES module. An old Node.js has
// to read this file to say that it is too old: no syntax newer than Node.js 12 here.
const OLDEST = [20, 18, 1];
const found = process.versions.node.split('.').map(Number);
const differing = OLDEST.findIndex((part, index) => part !== found[index]);

if (differing >= 0 && found[differing] < OLDEST[differing]) {
  process.stderr.write(
    `screener needs Node.js ${OLDEST.join('.')} or newer, and this is ${process.versions.node}.\n`,
  );
  process.exitCode = 1;
} else {
  start();
}

function start() {
  let main;
  try {
    main = require('../dist/main.cjs');
  } catch (error) {
    if (error.code !== 'MODULE_NOT_FOUND') throw error;
    process.stderr.write('screener is not built. Run `npm ci` first, in its folder.\n');
    process.exitCode = 1;
    return;
  }
  // Should there be nothing left to wait for before there is an answer, that is a failure.
  process.exitCode = 1;
  main.run().then((code) => {
    // At once: all output is written, and taking the process apart piece by piece would cost a millisecond.
    process.exit(code);
  });
}
