/** Everything a rendering may use, made for one run. This is what loads the table code. */
import type { Context } from '../../runtime/context.ts';
import { plainPaint } from '../plain-styles.ts';
import { terminalWidth, usesColor, usesUnicode } from '../terminal.ts';
import type { Column, Draw, Look, Pair } from '../types.ts';
import { bar } from './bar.ts';
import { layout } from './layout.ts';
import { measure, pad, shorten, wrap } from './measure.ts';
import { grid } from './render-table.ts';

/** @param color false for `--no-color` */
export async function createLook(context: Context, color: boolean | undefined): Promise<Look> {
  const { stdout, env } = context;
  const paint = usesColor(stdout.isTTY, env, color) ? (await import('./styles.ts')).colourPaint : plainPaint;
  return makeLook({
    paint,
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

export function makeLook(given: Omit<Look, 'draw'>): Look {
  const look: Look = {
    paint: given.paint,
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
    paragraph: (text) => wrap(text, look.width).join('\n'),
    bar: (share, cells) => bar(share, cells, look.unicode),
  };
  return look;
}

function drawTable<T>(columns: readonly Column<T>[], rows: readonly T[], look: Look): string {
  const cells = rows.map((row) => columns.map((column) => column.cell(row, look)));
  const fitted = layout(columns, cells, look);
  const indexes = fitted.columns.map((column) => columns.indexOf(column));
  return grid(
    fitted,
    cells.map((row) => indexes.map((i) => row[i] ?? '')),
    look,
    true,
  );
}

function drawPairs(pairs: readonly Pair[], look: Look): string {
  const longest = Math.max(0, ...pairs.map(([label]) => measure(label)));
  const labels = look.width === undefined ? longest : Math.min(longest, Math.floor(look.width / 2));
  const room = look.width === undefined ? undefined : Math.max(1, look.width - labels - 2);
  const lines = pairs.flatMap(([label, value]) =>
    wrap(value, room).map((part, i) => {
      const start = i === 0 ? look.paint.dim(pad(shorten(label, labels), labels, 'left')) : ' '.repeat(labels);
      return `${start}  ${part}`.trimEnd();
    }),
  );
  return lines.join('\n');
}
