import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createNotes, type NotesOptions } from '../../src/output/notes.ts';
import { type TestContextOptions, testContext } from '../support/context.ts';
import { FakeClock } from '../support/fake-clock.ts';

function setup(context: TestContextOptions = {}, options: Partial<NotesOptions> = {}) {
  const made = testContext(context);
  return { context: made, notes: createNotes({ context: made, quiet: false, verbose: false, ...options }) };
}

/** A terminal as ora needs one, which keeps what is written to it. */
function terminal() {
  const stream = Object.assign(new PassThrough(), {
    isTTY: true,
    columns: 80,
    rows: 24,
    cursorTo: () => stream.write('\r'),
    clearLine: () => stream.write('\x1b[K'),
    moveCursor: () => stream.write('\x1b[A'),
  });
  let text = '';
  stream.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  return { stream: stream as unknown as NodeJS.WriteStream, text: () => text };
}

function onTerminal(context: TestContextOptions = {}) {
  const screen = terminal();
  const clock = new FakeClock();
  const made = testContext({ errorWidth: 80, clock, env: { NO_COLOR: '1' }, ...context });
  made.stderr.stream = screen.stream;
  made.stderr.write = async (text) => void screen.stream.write(text);
  return { context: made, clock, screen, notes: createNotes({ context: made, quiet: false, verbose: false }) };
}

/** Waits for the text: ora, loaded at the first wait, draws by timers of its own. */
const shows = (screen: ReturnType<typeof terminal>, text: string) => expect.poll(screen.text).toContain(text);

describe('notes', () => {
  it('are lines on stderr, in order, made safe; a warning is said once; debug only when asked', async () => {
    const { context, notes } = setup();
    notes.note('one');
    notes.warn('stale');
    notes.debug('hidden');
    notes.warn('stale');
    notes.note('two\x1b[2J\nlines');
    await notes.flush();
    expect(context.stderr.text).toBe('one\nwarning: stale\ntwo\\u001b[2J\\nlines\n');
    expect(context.stdout.text).toBe('');
  });

  it('say more with --verbose and nothing with --quiet', async () => {
    const { context, notes } = setup({}, { verbose: true });
    notes.debug('shown');
    await notes.flush();
    expect(context.stderr.text).toBe('shown\n');
    const quiet = setup({}, { quiet: true, verbose: true });
    quiet.notes.note('a');
    quiet.notes.warn('b');
    quiet.notes.debug('c');
    quiet.notes.waiting('d', quiet.context.clock.now() + 60_000).stop();
    await quiet.notes.flush();
    expect(quiet.context.stderr.text).toBe('');
  });

  it('are coloured where stderr may be', async () => {
    const { context, notes } = setup({ errorWidth: 80 });
    notes.warn('stale');
    await notes.flush();
    expect(context.stderr.text).toBe('\x1b[33mwarning: stale\x1b[39m\n');
  });

  it('survive a closed stderr', async () => {
    const { context, notes } = setup();
    context.stderr.closed = true;
    notes.note('lost');
    await expect(notes.flush()).resolves.toBeUndefined();
  });

  it('say a wait once where there is no terminal, and only a long one', async () => {
    const { context, notes } = setup();
    notes.waiting('the 15 requests of this minute are taken', context.clock.now() + 12_000).stop();
    notes.waiting('Busy', context.clock.now() + 90_000).stop();
    notes.waiting('Short', context.clock.now() + 900).stop();
    notes.progress('Asking').stop();
    await notes.flush();
    expect(context.stderr.text).toBe(
      'The 15 requests of this minute are taken: waiting 12 seconds.\n' +
        'Busy: waiting 1 minute 30 seconds, until 2026-11-20 18:06:30 UTC.\n',
    );
  });

  it('do the same on a dumb terminal', async () => {
    const { screen, clock, notes } = onTerminal({ env: { TERM: 'dumb' } });
    const wait = notes.waiting('Busy', clock.now() + 5_000);
    const progress = notes.progress('Asking');
    await clock.advance(5_000);
    progress.stop();
    wait.stop();
    await notes.flush();
    expect(screen.text()).toBe('Busy: waiting 5 seconds.\n');
  });
});

describe('the spinner', () => {
  it('appears in a wait, counts down, and leaves the terminal as it was', async () => {
    const { screen, clock, notes } = onTerminal();
    const progress = notes.waiting('Allowance', clock.now() + 2_900);
    await clock.advance(100);
    await shows(screen, 'Allowance: 3s left');
    await clock.advance(2_000);
    await shows(screen, 'Allowance: 1s left');
    progress.stop();
    const end = screen.text();
    expect(end).toContain('\x1b[?25l');
    expect(end.endsWith('\x1b[?25h')).toBe(true);
    await clock.advance(5_000);
    expect([clock.sleepers, screen.text()]).toEqual([0, end]);
  });

  it('shows a wait in place of what waits for it, whichever began first', async () => {
    const { screen, clock, notes } = onTerminal();
    const wait = notes.waiting('Allowance', clock.now() + 30_000);
    const progress = notes.progress('Asking for access');
    await clock.advance(100);
    await shows(screen, 'Allowance: 30s left');
    expect(screen.text()).not.toContain('Asking');
    wait.stop();
    await shows(screen, 'Asking for access');
    progress.stop();
  });

  it('does not appear where the answer comes at once', async () => {
    const { screen, clock, notes } = onTerminal();
    const progress = notes.progress('Asking');
    await clock.advance(20);
    progress.stop();
    await clock.advance(5_000);
    expect([clock.sleepers, screen.text()]).toEqual([0, '']);
  });

  it('shows the latest of several, updates, and makes them safe', async () => {
    const { screen, clock, notes } = onTerminal();
    const outer = notes.progress('outer');
    const inner = notes.progress('inner\x1b[2J');
    await clock.advance(100);
    await shows(screen, 'inner\\u001b[2J');
    expect(screen.text()).not.toContain('outer');
    inner.stop();
    await shows(screen, 'outer');
    outer.update('page 2');
    await shows(screen, 'page 2');
    outer.stop();
    outer.stop();
    expect(screen.text().endsWith('\x1b[?25h')).toBe(true);
  });

  it('makes way for notes and for data', async () => {
    const { screen, clock, notes } = onTerminal();
    const progress = notes.progress('Asking');
    await clock.advance(100);
    await shows(screen, 'Asking');
    notes.note('a note');
    await notes.flush();
    screen.stream.write('data\n');
    progress.stop();
    // Each line begins where the spinner was wiped away.
    expect(screen.text()).toMatch(/\r\x1b\[Ka note\n/);
    expect(screen.text()).toMatch(/\r\x1b\[Kdata\n/);
  });

  it('gives the terminal back when interrupted, without being stopped', async () => {
    const stop = new AbortController();
    const { screen, clock, notes } = onTerminal({ signal: stop.signal });
    notes.progress('Asking');
    await clock.advance(100);
    await shows(screen, 'Asking');
    stop.abort(new Error('interrupted'));
    expect(screen.text().endsWith('\x1b[?25h')).toBe(true);
    notes.progress('again');
    await clock.advance(5_000);
    expect(clock.sleepers).toBe(0);
    expect(screen.text()).not.toContain('again');
  });

  it.each([
    [80, true],
    [0, false],
  ])('is not drawn on a terminal of %i columns, quiet %s', async (columns, quiet) => {
    const { screen, clock, context } = onTerminal();
    Object.assign(screen.stream, { columns });
    const progress = createNotes({ context, quiet, verbose: false }).progress('Asking');
    await clock.advance(5_000);
    progress.stop();
    expect([clock.sleepers, screen.text()]).toEqual([0, '']);
  });
});
