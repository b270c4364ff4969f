/** `npm run tape`: .github/stats.svg, a still picture of a terminal made from the program's own output. Needs `script`. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** Each picture's command and its terminal's rows. */
const PICTURES = {
  stats: ['screener --demo stats --local --by type', 40],
};
const COLOURS = { 31: '#f0914a', 32: '#58aee8', 33: '#e3c34d' };
const [WIDTH, LINE, CHARACTER, EDGE] = [80, 20, 8.43, 16];

const env = {
  ...process.env,
  FORCE_COLOR: '1',
  LANG: 'C.UTF-8',
  LC_ALL: 'C.UTF-8',
  SCREENER_TZ: 'UTC',
};
delete env.NO_COLOR;

const escaped = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** One line: each stretch of one style is placed by itself, so that columns stay below each other in any font. */
function spans(line) {
  const parts = line.split(/\x1b\[(\d+)m/);
  const style = { fill: '', weight: '', opacity: '' };
  let column = 0;
  return parts
    .flatMap((part, index) => {
      if (index % 2 === 1) {
        if (part in COLOURS) style.fill = ` fill="${COLOURS[part]}"`;
        if (part === '39') style.fill = '';
        if (part === '1') style.weight = ' font-weight="700"';
        if (part === '2') style.opacity = ' opacity=".65"';
        if (part === '22') [style.weight, style.opacity] = ['', ''];
        return '';
      }
      const start = column;
      column += [...part].length;
      return [...part.matchAll(/\S+(?: \S+)*/g)].map(({ 0: words, index: at }) => {
        const x = (EDGE + (start + at) * CHARACTER).toFixed(1);
        const length = ([...words].length * CHARACTER).toFixed(1);
        return `<tspan x="${x}" textLength="${length}"${style.fill}${style.weight}${style.opacity}>${escaped(words)}</tspan>`;
      });
    })
    .join('');
}

// Started by a link of this name, as once it is installed, the program offers lines that begin with `screener`.
const installed = join(mkdtempSync(join(tmpdir(), 'screener-tape-')), 'screener');
symlinkSync(resolve('bin/screener.js'), installed);

for (const [name, [command, rows]] of Object.entries(PICTURES)) {
  const run = command.replace('screener', `node ${installed}`);
  const inTerminal = `stty cols ${WIDTH} rows ${rows}; ${run} --no-pager 2>/dev/null`;
  const shown = execFileSync('script', ['-qec', inTerminal, '/dev/null'], {
    env,
    encoding: 'utf8',
  });
  const lines = [`$ ${command}`, ...shown.replaceAll('\r', '').trimEnd().split('\n')];
  const width = Math.ceil(WIDTH * CHARACTER + 2 * EDGE);
  const height = lines.length * LINE + 2 * EDGE;
  const texts = lines.map(
    (line, index) => `<text y="${EDGE + (index + 0.75) * LINE}">${spans(line)}</text>`,
  );
  writeFileSync(
    `.github/${name}.svg`,
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${command}">
<rect width="100%" height="100%" rx="8" fill="#14181c"/>
<g fill="#e4e8eb" font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,monospace" font-size="14" style="white-space:pre">
${texts.join('\n')}
</g>
</svg>
`,
  );
}
