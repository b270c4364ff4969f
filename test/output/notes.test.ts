import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createNotes, type NotesOptions } from '../../src/output/notes.ts';
import { type TestContextOptions, testContext } from '../support/context.ts';
import { FakeClock } from '../support/fake-clock.ts';

function setup(context: TestContextOptions = {}, options: Partial<NotesOptions> = {}) {
  const made = testContext(context);
  return {
    context: made,
    notes: createNotes({ context: made, quiet: false, verbose: false, ...options }),
  };
}

/** A terminal as ora needs one, which keeps what is written to it. */
function onTerminal() {
  const stream = Object.assign(new PassThrough(), {
    isTTY: true,
    columns: 80,
    rows: 24,
    cursorTo: () => stream.write('\r'),
    clearLine: () => stream.write('\x1b[K'),
    moveCursor: () => stream.write('\x1b[A'),
  });
  let written = '';
  stream.on('data', (chunk: Buffer) => {
    written += chunk.toString();
  });
  const clock = new FakeClock();
  const made = testContext({ errorWidth: 80, clock, env: { NO_COLOR: '1' } });
  made.stderr.stream = stream as unknown as NodeJS.WriteStream;
  made.stderr.write = async (text) => void stream.write(text);
  const text = () => written;
  /** Waits for it: ora, loaded at the first wait, draws by timers of its own. */
  const shows = (words: string) => expect.poll(text).toContain(words);
  const notes = createNotes({ context: made, quiet: false, verbose: false });
  return { context: made, stream, clock, text, shows, notes };
}

describe('notes', () => {
  it('are lines on stderr, in order, made safe; a warning is said once; debug only with --verbose', async () => {
    for (const verbose of [false, true]) {
      const debugged = verbose ? 'hidden\n' : '';
      const { context, notes } = setup({}, { verbose });
      notes.note('one');
      notes.warn('stale');
      notes.debug('hidden');
      notes.warn('stale');
      notes.note('two\x1b[2J\nlines');
      await notes.flush();
      expect(context.stderr.text, `verbose: ${verbose}`).toBe(
        `one\nwarning: stale\n${debugged}two\\u001b[2J\\nlines\n`,
      );
      expect(context.stdout.text, `verbose: ${verbose}`).toBe('');
    }
  });

  it('say nothing with --quiet, and survive a closed stderr', async () => {
    const { context, notes } = setup({}, { quiet: true, verbose: true });
    notes.warn('b');
    notes.debug('c');
    notes.waiting('d', context.clock.now() + 60_000).stop();
    await notes.flush();
    expect(context.stderr.text).toBe('');
    const lost = setup();
    lost.context.stderr.closed = true;
    lost.notes.note('lost');
    await expect(lost.notes.flush()).resolves.toBeUndefined();
  });

  it('say a wait once where lines cannot be redrawn, and only a long one', async () => {
    const streams = {
      'no terminal': setup(),
      'a dumb terminal': setup({ errorWidth: 80, env: { TERM: 'dumb' } }),
    };
    for (const [stream, { context, notes }] of Object.entries(streams)) {
      notes
        .waiting('the 15 requests of this minute are taken', context.clock.now() + 12_000)
        .stop();
      notes
        .waiting('the 15 requests of this minute are taken', context.clock.now() + 12_000, true)
        .stop();
      notes
        .waiting('the 15 requests of this minute are taken', context.clock.now() + 12_000, true)
        .stop();
      notes.waiting('Busy', context.clock.now() + 90_000).stop();
      notes.waiting('Short', context.clock.now() + 1_000).stop();
      notes.progress('Asking').stop();
      await notes.flush();
      expect(context.stderr.text, stream).toBe(
        'The 15 requests of this minute are taken: waiting 12 seconds.\n'.repeat(2) +
          'Busy: waiting 1 minute 30 seconds, until 2026-11-20 18:06:30 UTC.\n',
      );
    }
  });

  it('say a long wait for a turn, though one for the same reason was too short to be said', async () => {
    const { context, notes } = setup();
    const reason = 'the 15 requests of this minute are taken';
    for (const millis of [1_000, 12_000, 12_000])
      notes.waiting(reason, context.clock.now() + millis, true).stop();
    await notes.flush();
    expect(context.stderr.text).toBe(
      'The 15 requests of this minute are taken: waiting 12 seconds.\n',
    );
  });
});

describe('the spinner', () => {
  it('appears in a wait, counts down, and leaves the terminal as it was', async () => {
    const { clock, text, shows, notes } = onTerminal();
    const progress = notes.waiting('Allowance', clock.now() + 2_900);
    await clock.advance(100);
    await shows('Allowance: 3 seconds left');
    await clock.advance(2_000);
    await shows('Allowance: 1 second left');
    progress.stop();
    const end = text();
    expect(end).toContain('\x1b[?25l');
    expect(end.endsWith('\x1b[?25h'), 'the cursor is shown at the end').toBe(true);
    await clock.advance(5_000);
    expect({ sleepers: clock.sleepers, text: text() }).toEqual({ sleepers: 0, text: end });
  });

  it('shows a wait in place of what waits for it, else the latest of several, made safe', async () => {
    const { clock, text, shows, notes } = onTerminal();
    const wait = notes.waiting('Allowance', clock.now() + 30_000);
    const outer = notes.progress('outer');
    const inner = notes.progress('inner\x1b[2J');
    await clock.advance(100);
    await shows('Allowance: 30 seconds left');
    expect(text()).not.toContain('inner');
    wait.stop();
    const turn = notes.waiting('Allowance', clock.now() + 30_000, true);
    await shows('inner\\u001b[2J  waits 30 s: Allowance');
    turn.stop();
    await shows('inner\\u001b[2J');
    expect(text()).not.toContain('outer');
    inner.stop();
    outer.update('page 2');
    await shows('page 2');
    outer.stop();
    outer.stop();
    expect(text().endsWith('\x1b[?25h'), 'the cursor is shown at the end').toBe(true);
  });

  it('makes way for notes and for data', async () => {
    const { stream, clock, text, shows, notes } = onTerminal();
    const progress = notes.progress('Asking');
    await clock.advance(100);
    await shows('Asking');
    notes.note('a note');
    await notes.flush();
    stream.write('data\n');
    progress.stop();
    // Each line begins where the spinner was wiped away.
    expect(text()).toMatch(/\r\x1b\[Ka note\n[\s\S]*\r\x1b\[Kdata\n/);
  });

  it.each([
    ['where the answer comes at once', { answered: 20, quiet: false, columns: 80 }],
    ['with --quiet', { answered: 5_000, quiet: true, columns: 80 }],
    ['on a terminal without columns', { answered: 5_000, quiet: false, columns: 0 }],
  ])('does not appear %s', async (_, { answered, quiet, columns }) => {
    const { stream, clock, text, context } = onTerminal();
    Object.assign(stream, { columns });
    const progress = createNotes({ context, quiet, verbose: false }).progress('Asking');
    await clock.advance(answered);
    progress.stop();
    await clock.advance(5_000);
    expect({ sleepers: clock.sleepers, text: text() }).toEqual({ sleepers: 0, text: '' });
  });
});
