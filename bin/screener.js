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
    process.stderr.write(reasonOf(error));
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

// Why the program cannot be loaded.
function reasonOf(error) {
  // Node says the one, Deno the other.
  if (error.code === 'ERR_ACCESS_DENIED' || error.name === 'NotCapable') {
    return 'screener may not read its own files. Run it again with leave to read (--allow-fs-read=*, in Deno -A).\n';
  }
  if (error.code !== 'MODULE_NOT_FOUND') throw error;
  try {
    require.resolve('../node_modules/rolldown/package.json');
    return 'screener is not built. Run `npm run build` in its folder.\n';
  } catch {
    return 'screener is not built. Run `npm ci` in its folder (without --omit=dev).\n';
  }
}
