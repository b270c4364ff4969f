/** The key in whatever is shown: in each spelling that JSON, a URL or a quoted text gives it. */
import { expect, it } from 'vitest';
import { Secrets } from '../../src/runtime/context.ts';

it('is hidden in each spelling', () => {
  const secrets = new Secrets();
  const key = 'sk+a/b"c';
  secrets.add(key);
  const spellings = {
    itself: key,
    json: JSON.stringify(key),
    jsonWithinJson: JSON.stringify(JSON.stringify(key)),
    url: encodeURIComponent(key),
    smallHex: encodeURIComponent(key).toLowerCase(),
    escaped: [...key].map((sign) => `\\u00${sign.charCodeAt(0).toString(16)}`).join(''),
  };
  const shown = Object.entries(spellings).map(([name, text]) => [
    name,
    secrets.hide(`before ${text} after`).replace(/[\\"]/g, ''),
  ]);
  const hidden = Object.keys(spellings).map((name) => [name, 'before [key] after']);
  expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(hidden));
  expect(secrets.hide('sk+a/b')).toBe('sk+a/b');
});
