import { matching } from './matching.js';

/** What cli-table3 works out of every line of every cell, for nothing. */
const SPARED = [
  // A cell's whole text, shortened for debug output that is off: a tall cell would be drawn in quadratic time.
  ['cell.js', 'utils.truncate(this.content, 10, this.truncate)', "''"],
  // Colours, taken out before a text is measured: `measure` leaves them out itself.
  [
    'utils.js',
    "let code = codeRegex();\n  let stripped = ('' + str).replace(code, '');",
    "let stripped = '' + str;",
  ],
].map(([file, ...change]) => ({
  isPart: matching(`${file} of cli-table3`, new RegExp(`/cli-table3/src/${file}$`)),
  change,
}));

/** Leaves that out: a table takes half the time. */
export function withoutDebugTexts() {
  return {
    name: 'without-debug-texts',
    transform: (code, id) => {
      const part = SPARED.find(({ isPart }) => isPart(id));
      if (part === undefined) return null;
      const [text, rest] = part.change;
      if (!code.includes(text))
        throw new Error('cli-table3 has changed: see without-debug-texts.js');
      return code.replace(text, rest);
    },
  };
}
