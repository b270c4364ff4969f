#!/usr/bin/env node
import module from 'node:module';
import v8 from 'node:v8';

// undici parses HTTP with WebAssembly. On Node 20 V8 optimises that code in the background, and the process waits for
// it at exit: some 40 ms for nothing, as a command makes a few requests. With V8's baseline compiler alone they are
// gone. Newer versions of V8 optimise only what has run often; the line can go together with Node 20.
if (process.versions.v8.startsWith('11.')) v8.setFlagsFromString('--liftoff-only');

// Node 22.8 and later keep compiled code on disk, which saves some 15 ms, but only for what is imported after this
// line: hence the dynamic import.
module.enableCompileCache?.();

const { run } = await import('../dist/main.js');
process.exitCode = await run();
