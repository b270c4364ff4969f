import { expect, test } from 'vitest';
import { BODY_CAP, Body } from '../../src/api/body.ts';

test('a body that comes byte by byte takes no more room than twice its length', () => {
  const body = new Body();
  const length = 3 * 1024 * 1024;
  for (let n = 0; n < length; n += 1) body.add(Uint8Array.of(n));
  const bytes = body.bytes();
  expect(bytes.length).toBe(length);
  expect(bytes.buffer.byteLength).toBeLessThanOrEqual(2 * length);
  expect([bytes[0], bytes[255], bytes[256], bytes.at(-1)]).toEqual([0, 255, 0, 255]);
});

test('a body is refused where it becomes larger than the cap, in one piece or in many', () => {
  expect(new Body().add(new Uint8Array(BODY_CAP + 1))).toBe(false);
  const body = new Body();
  expect(body.add(new Uint8Array(BODY_CAP))).toBe(true);
  expect(body.add(Uint8Array.of(1))).toBe(false);
});
