/**
 * The JSON text of a value from the API. An integer that a number cannot hold exactly is a bigint there, and is written
 * to the digit.
 */
export function jsonText(value: unknown, indent?: number): string {
  try {
    return JSON.stringify(value, undefined, indent);
  } catch {
    // JSON.stringify knows no bigint. The digits go in as a text that nobody can foresee, and lose its quotes afterwards.
    const mark = `integer ${Math.random()} `;
    const marked = (_key: string, inner: unknown) => (typeof inner === 'bigint' ? `${mark}${inner}` : inner);
    const text = JSON.stringify(value, marked, indent);
    return text.replaceAll(new RegExp(`"${mark}(-?\\d+)"`, 'g'), '$1');
  }
}
