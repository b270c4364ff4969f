'use strict';
// What a user does, on any system: node scenario.cjs PROGRAM FOLDER RESULT
//
// Steps and failures are written to RESULT.
const { spawn } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const assert = require('node:assert/strict');

const [program, folder, result] = process.argv.slice(2);
const isWindows = process.platform === 'win32';
const env = {
  ...process.env,
  USERPROFILE: folder,
  HOME: isWindows ? undefined : folder,
  XDG_CONFIG_HOME: undefined,
  XDG_STATE_HOME: undefined,
  XDG_DATA_HOME: undefined,
  APPDATA: path.join(folder, 'App Data', 'Roaming'),
  LOCALAPPDATA: path.join(folder, 'App Data', 'Local'),
};
/** Makes the lock of a killed run look silent for a minute. */
function endLock(directory) {
  const lock = path.join(directory, '.lock');
  if (!fs.existsSync(lock)) return;
  for (const token of fs.readdirSync(lock))
    fs.utimesSync(path.join(lock, token), 0, Date.now() / 1000 - 60);
}

const say = (line) => fs.appendFileSync(result, `${line}\n`);

/** Starts the program. */
function start(args, more = {}) {
  const words = [path.join(program, 'bin', 'screener.js'), ...args];
  const child = spawn(process.execPath, words, {
    env: { ...env, ...more },
    stdio: 'pipe',
    cwd: folder,
  });
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) {
    child[name].setEncoding('utf8').on('data', (text) => {
      texts[name] += text;
      child.emit('text');
    });
  }
  child.stdin.on('error', () => {});
  const done = new Promise((resolve) => child.on('close', (code) => resolve({ code, ...texts })));
  /** Looks at each text of this process; fails if this one, or another, ends before. */
  const until = (holds, end = done) =>
    new Promise((resolve, reject) => {
      const look = () => holds() && resolve();
      child.on('text', look);
      look();
      end.then((ran) => reject(new Error(`ended too soon: ${JSON.stringify(ran)}`)));
    });
  return { child, texts, done, until };
}

/** Runs the program to its end. */
function run(args, more = {}, input = '') {
  const running = start(args, more);
  running.child.stdin.end(input);
  return running.done;
}

async function works(args, more) {
  const ran = await run(args, more);
  assert.equal(ran.code, 0, `${args.join(' ')}: ${JSON.stringify(ran)}`);
  return ran.stdout;
}

const monthFiles = (directory) =>
  fs.readdirSync(directory).filter((name) => /^signals-.*\.ndjson$/.test(name));
const linesOf = (file) => fs.readFileSync(file, 'utf8').trimEnd().split('\n');
const cardsOf = (directory) =>
  monthFiles(directory).flatMap((name) =>
    linesOf(path.join(directory, name)).map((line) => JSON.parse(line)),
  );
/** Three histories of so many, with every outcome that can be due, cost less than a day's 150 credits. */
const CARDS = 64;

/** Of late a run may find an outcome due that one before did not: what it has learnt of them decides. */
const isYoung = ({ created_at }) => Date.now() - Date.parse(created_at) < 25 * 3_600_000;
/** Ids, and whether the outcome was bought, of cards old enough. */
const summary = (directory) =>
  cardsOf(directory).map(
    (card) => `${card.id} ${isYoung(card) ? 'young' : card.context_scope !== undefined}`,
  );
const leftOvers = (directory) =>
  fs.readdirSync(directory).filter((name) => /\.tmp$|journal/.test(name));

const steps = {
  async 'starts, and says what it is'() {
    assert.match(await works(['--version']), /^\d+\.\d+\.\d+/);
    assert.match(await works(['--help']), /signals/);
  },
  async 'shows invented cards, and completes words'() {
    const cards = await works(['--demo', 'signals', 'ls', '-n', '2', '--ndjson']);
    assert.equal(cards.trimEnd().split('\n').map(JSON.parse).length, 2);
    for (const shell of ['bash', 'zsh', 'fish'])
      assert.match(await works(['completion', shell]), /screener/);
  },
  async 'saves a key where the system keeps such things'({ base_url: url, key }) {
    const login = await run(
      ['login', '--base-url', url],
      { SCREENER_API_KEY: undefined },
      `${key}\r\n`,
    );
    assert.equal(login.code, 0, JSON.stringify(login));
    const [, saved] = /saved in (.*config\.json)/.exec(login.stderr);
    assert.ok(fs.existsSync(saved));
    assert.ok(
      saved.startsWith(isWindows ? path.join(env.APPDATA, 'screener', 'Config') : folder),
      saved,
    );
    assert.equal(JSON.parse(await works(['access', '--json'])).plan, 'PRO');
    const again = await run(['login', '--base-url', url], {}, `${key}\r\n`);
    assert.equal(again.code, 0, JSON.stringify(again));
  },
  async 'exports, and brings a history up to date'(_, whole) {
    await works(['signals', 'export', whole, '--no-outcomes']);
    await works(['signals', 'export', whole]);
    const cards = summary(whole);
    assert.equal(cards.length, CARDS);
    assert.ok(cards.filter((card) => card.endsWith('true')).length > 5);
    assert.deepEqual(leftOvers(whole), []);
  },
  async 'replaces a file that a reader has open'(_, whole) {
    const open = monthFiles(whole).map((name) => fs.openSync(path.join(whole, name), 'r'));
    await works(['signals', 'export', whole]);
    for (const descriptor of open) fs.closeSync(descriptor);
    assert.equal(summary(whole).length, CARDS);
  },
  async 'goes on after it was killed, thrice'(_, whole, sandbox) {
    const killed = path.join(folder, 'killed export');
    for (const requests of [1, 5, 9]) {
      const before = sandbox.requests();
      const running = start(['signals', 'export', killed]);
      await sandbox.until(() => sandbox.requests() >= before + requests, running.done);
      running.child.kill();
      await running.done;
      endLock(killed);
    }
    await works(['signals', 'export', killed]);
    assert.deepEqual(summary(killed), summary(whole));
    assert.deepEqual(leftOvers(killed), []);
  },
  async 'lets one of two runs have a directory'(_, whole, sandbox) {
    const shared = path.join(folder, 'shared export');
    const before = sandbox.requests();
    const first = start(['signals', 'export', shared]);
    await sandbox.until(() => sandbox.requests() > before + 1, first.done);
    const second = await run(['signals', 'export', shared]);
    assert.equal(second.code, 1, JSON.stringify(second));
    assert.match(second.stderr, /is exporting into/);
    assert.equal((await first.done).code, 0);
    assert.deepEqual(summary(shared), summary(whole));
  },
  async 'stops when the reader of its output leaves'() {
    const running = start(['signals', 'ls', '--all', '--ndjson']);
    running.child.stdout.once('data', () => running.child.stdout.destroy());
    assert.equal((await running.done).code, 0);
  },
  async 'answers from a history'(_, whole) {
    const rows = (await works(['signals', 'ls', '--from', whole, '--csv'])).trimEnd().split('\r\n');
    assert.equal(rows.length, CARDS + 1);
    await works(['stats', '--from', `~${path.sep}${path.basename(whole)}`, '--json']);
    await works(['report', `~${path.sep}report.html`, '--from', whole]);
    assert.match(fs.readFileSync(path.join(folder, 'report.html'), 'utf8'), /<\/html>\s*$/);
  },
};

async function startSandbox() {
  const words = ['--per-minute', '600', '--fault', '*:*:200:delay=40'];
  const running = start(['sandbox', '--json', '--cards', String(CARDS), ...words]);
  await running.until(() => running.texts.stdout.endsWith('}\n'));
  return {
    place: JSON.parse(running.texts.stdout),
    requests: () => (running.texts.stderr.match(/\/signal/g) ?? []).length,
    until: running.until,
    stop: () => {
      running.child.kill();
      return running.done;
    },
  };
}

async function main() {
  fs.mkdirSync(folder, { recursive: true });
  const sandbox = await startSandbox();
  const whole = path.join(folder, 'my signals');
  try {
    for (const [name, step] of Object.entries(steps)) {
      await step(sandbox.place, whole, sandbox);
      say(`ok: it ${name}`);
    }
    say('done');
  } catch (error) {
    say(`FAILED: ${error.stack}`);
    process.exitCode = 1;
  } finally {
    await sandbox.stop();
  }
}

main();
