import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { afterEach, expect, it, vi } from 'vitest';
import { OutputClosed } from '../../src/errors.ts';
import { standardStream } from '../../src/runtime/streams.ts';

afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

it.each(['EPIPE', 'EOF'])('%s: the reader of a pipe is gone, also on Windows', async (code) => {
  vi.spyOn(fs, 'writeSync').mockImplementation(() => {
    throw Object.assign(new Error(code), { code });
  });
  syncBuiltinESMExports();
  const stream = standardStream(1, () => process.stdout);
  await expect(stream.write('x')).rejects.toBeInstanceOf(OutputClosed);
});
