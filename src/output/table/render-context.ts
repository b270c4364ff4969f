/** Everything a rendering may use, made for one run. This is what loads the table code. */
import type { Context } from '../../runtime/context.ts';
import { UTC, zoneNamed } from '../../runtime/zone.ts';
import { stylesOf, terminalWidth, usesColor, usesUnicode } from '../terminal.ts';
import type { Pair, Part, RenderContext } from '../types.ts';
import { wrap } from '../wrap.ts';
import { cap, measure, pad, shorten } from './measure.ts';
import { tableRows } from './table.ts';

export function createRenderContext(
  { stdout, env, clock }: Pick<Context, 'stdout' | 'env' | 'clock'>,
  color: boolean | undefined,
): RenderContext {
  const styles = stylesOf(usesColor(stdout.isTTY, env, color));
  const width = stdout.isTTY ? terminalWidth(env, stdout.columns) : undefined;
  const unicode = usesUnicode(env);
  const paragraph: RenderContext['paragraph'] = (text, tint = (line) => line) => {
    const lines = cap(text).split('\n');
    return lines.flatMap((line) => wrap(line, { width, cut: true }).map(tint)).join('\n');
  };
  const render: RenderContext = {
    styles,
    unicode,
    width,
    height: stdout.isTTY ? stdout.rows : undefined,
    now: clock.now(),
    zone: zoneNamed(env.SCREENER_TZ ?? '') ?? UTC,
    table: (columns, rows) => {
      const shown = columns.filter(({ has }) => has === undefined || rows.some(has));
      const parts = tableRows<(typeof rows)[number]>(shown, render);
      parts.add(rows);
      return [...parts.texts()].join('\n');
    },
    beside: (left, right) => beside(left, right, width),
    pairs: (pairs) => pairLines(pairs, render),
    paragraph,
    note: (...texts) => below(texts.map((text) => text && paragraph(text, styles.dim))),
    offer: (words, ...commands) => [render.note(words), ...commands.map((command) => `  ${command}`)].join('\n'),
    bar: (share) => bar(share, unicode),
    sections: (parts) =>
      parts
        .flatMap(({ title, body }) => {
          const text = below([body].flat());
          return text === '' ? [] : below([title !== undefined && paragraph(title, styles.bold), text]);
        })
        .join('\n\n'),
  };
  return render;
}

const below = (parts: readonly Part[]) => parts.filter(Boolean).join('\n');

const BESIDE = 5;

function pairLines(pairs: readonly Pair[], { width, styles }: RenderContext): string {
  const longest = Math.max(0, ...pairs.map(([label]) => measure(cap(label))));
  const labels = width === undefined ? longest : Math.min(longest, Math.floor(width / 2));
  const room = width === undefined ? undefined : Math.max(1, width - labels - 2);
  const lines = pairs.flatMap(([label, value]) =>
    wrap(cap(value), { width: room, cut: true }).map((part, i) => {
      const start = i === 0 ? styles.dim(pad(shorten(cap(label), labels), labels)) : ' '.repeat(labels);
      return `${start}  ${part}`.trimEnd();
    }),
  );
  return lines.join('\n');
}

function beside(left: string, right: string, width: number | undefined): string {
  const [ours, theirs] = [left.split('\n'), right.split('\n')];
  const wide = Math.max(...ours.map(measure)) + BESIDE;
  if (width === undefined || wide + Math.max(...theirs.map(measure)) > width) return `${left}\n\n${right}`;
  const longer = ours.length > theirs.length ? ours : theirs;
  return longer.map((_, i) => `${pad(ours[i] ?? '', wide)}${theirs[i] ?? ''}`.trimEnd()).join('\n');
}

/** `[████░░░░]`, or `[####----]` where block characters cannot be shown. Only nothing is empty, and only all is full. */
function bar(share: number, unicode: boolean): string {
  const cells = 20;
  const [least, most] = [share > 0 ? 1 : 0, share < 1 ? cells - 1 : cells];
  const filled = Math.max(least, Math.min(most, Math.round(share * cells)));
  const [full, empty] = unicode ? ['█', '░'] : ['#', '-'];
  return `[${full.repeat(filled)}${empty.repeat(cells - filled)}]`;
}
