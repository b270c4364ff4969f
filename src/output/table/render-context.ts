/** Everything a rendering may use, made for one run. This is what loads the table code. */
import type { Context } from '../../runtime/context.ts';
import { plainStyles } from '../plain-styles.ts';
import { terminalWidth, usesColor, usesUnicode } from '../terminal.ts';
import type { Column, Draw, Pair, RenderContext } from '../types.ts';
import { bar } from './bar.ts';
import { cellsOf, layout } from './layout.ts';
import { cap, measure, pad, shorten, wrap } from './measure.ts';
import { renderTable } from './render-table.ts';

/** @param color false for `--no-color` */
export async function createRenderContext(context: Context, color: boolean | undefined): Promise<RenderContext> {
  const { stdout, env } = context;
  const styles = usesColor(stdout.isTTY, env, color) ? (await import('./styles.ts')).colourStyles : plainStyles;
  return makeRenderContext({
    styles,
    unicode: usesUnicode(env),
    // Asked anew each time: before a table is drawn a terminal may be resized, and a watch goes on for hours.
    get width() {
      return stdout.isTTY ? terminalWidth(env, stdout.columns) : undefined;
    },
    get now() {
      return context.clock.now();
    },
  });
}

export function makeRenderContext(given: Omit<RenderContext, 'draw'>): RenderContext {
  const look: RenderContext = {
    styles: given.styles,
    unicode: given.unicode,
    get width() {
      return given.width;
    },
    get now() {
      return given.now;
    },
    get draw(): Draw {
      return draw;
    },
  };
  const draw: Draw = {
    measure,
    table: (columns, rows) => drawTable(columns, rows, look),
    pairs: (pairs) => drawPairs(pairs, look),
    paragraph: (text) => wrap(cap(text), look.width).join('\n'),
    bar: (share, cells) => bar(share, cells, look.unicode),
  };
  return look;
}

function drawTable<T>(columns: readonly Column<T>[], rows: readonly T[], look: RenderContext): string {
  const cells = rows.map((row) => cellsOf(columns, row, look));
  const fitted = layout(columns, cells, look);
  const indexes = fitted.columns.map((column) => columns.indexOf(column));
  return renderTable(
    fitted,
    cells.map((row) => indexes.map((i) => row[i] ?? '')),
    look,
    true,
  );
}

function drawPairs(given: readonly Pair[], look: RenderContext): string {
  const pairs = given.map(([label, value]): Pair => [cap(label), cap(value)]);
  const longest = Math.max(0, ...pairs.map(([label]) => measure(label)));
  const labels = look.width === undefined ? longest : Math.min(longest, Math.floor(look.width / 2));
  const room = look.width === undefined ? undefined : Math.max(1, look.width - labels - 2);
  const lines = pairs.flatMap(([label, value]) =>
    wrap(value, room).map((part, i) => {
      const start = i === 0 ? look.styles.dim(pad(shorten(label, labels), labels, 'left')) : ' '.repeat(labels);
      return `${start}  ${part}`.trimEnd();
    }),
  );
  return lines.join('\n');
}
