import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { OutputClosed } from '../../src/errors.ts';
import { standardStream } from '../../src/runtime/streams.ts';

it.each(['EPIPE', 'EOF'])('%s: the reader of a pipe is gone, also on Windows', async (code) => {
  const closed = new Writable({ write: (_chunk, _encoding, done) => done(Object.assign(new Error(code), { code })) });
  const stream = standardStream(() => closed as NodeJS.WriteStream);
  await expect(stream.write('x')).rejects.toBeInstanceOf(OutputClosed);
});
