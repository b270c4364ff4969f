import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { it, parseLines } from '../support/fixtures.ts';
import { pythonPath, without } from '../support/programs.ts';
import { programFolder, programPath, runShell, startCommand } from '../support/run.ts';
import * as samples from '../support/samples.ts';
import { listing } from '../support/server.ts';

/** Says how the first command of the pipe before it ended. */
const STATUS = 'echo "$PIPESTATUS"';

describe.concurrent('in a shell', () => {
  // A page that is asked for while the reader leaves comes once it has left: whatever comes after that is too much.
  it.for([1, 30])(
    '| head -%i ends cleanly and stops the paging',
    async (lines, { server, home }) => {
      const pages = Math.ceil(lines / 25);
      const left = path.join(home.folder, 'left');
      execFileSync('mkfifo', [left]);
      const gone = readFile(left);
      const cards = listing(samples.cards(200));
      server.always('/signals', (request) =>
        server.to('/signals').length <= pages ? cards(request) : { ...cards(request), after: gone },
      );
      const line = `screener signals ls --all --ndjson | sh -c 'head -${lines}; exec <&-; echo > "$0"' '${left}'; ${STATUS}`;
      const ran = await runShell(line, { home, env: server.env });
      const printed = samples.cards(lines).map((card) => JSON.stringify(card));
      expect(ran.stdout.split('\n')).toEqual([...printed, '0', '']);
      expect(ran.stderr).toMatch(/^\d credits? spent[.;]/m);
      expect(ran.stderr).not.toMatch(/error|EPIPE/i);
      expect(
        server.to('/signals').length - pages,
        'pages asked for after the reader had gone',
      ).toBeLessThanOrEqual(1);
    },
  );

  it.skipIf(process.platform !== 'linux' || without('python3'))(
    'a full pipe that makes no writer wait stops the paging, too',
    async ({ server, home }) => {
      server.holds(samples.cards(200));
      // It leaves when a part of the first page has filled the pipe. 1031 is F_SETPIPE_SZ.
      const reader = `
import array, fcntl, os, select, subprocess, sys, termios
reading, writing = os.pipe()
fcntl.fcntl(writing, 1031, 4096)
fcntl.fcntl(writing, fcntl.F_SETFL, os.O_NONBLOCK | fcntl.fcntl(writing, fcntl.F_GETFL))
program = subprocess.Popen(sys.argv[1:], stdout=writing)
os.close(writing)
size = array.array('i', [0])
while size[0] < 4096 and program.poll() is None:
    select.select([], [], [], 0.001)
    fcntl.ioctl(reading, termios.FIONREAD, size)
os.close(reading)
sys.exit(program.wait())`;
      const words = [programPath(), 'signals', 'ls', '--all', '--ndjson'];
      const command = [pythonPath(), '-I', '-S', '-c', reader, process.execPath, ...words];
      const { code, stderr } = await startCommand(command, { home, env: server.env }).done;
      expect({
        code,
        stderr,
        requests: server.requests.map((request) => request.path),
        credits: server.credits,
      }).toEqual({
        code: 0,
        stderr: expect.stringMatching(
          /^1 credit spent; 149 left today, 899 this month\.\nGo on with:\n {2}screener signals ls --all --cursor \S+\n$/,
        ),
        requests: ['/access', '/signals'],
        credits: 1,
      });
    },
  );

  it('a reader that is slow gets everything', async ({ server, home }) => {
    server.holds(samples.cards(250));
    const gate = path.join(home.folder, 'gate');
    execFileSync('mkfifo', [gate]);
    for (const format of ['json', 'ndjson']) {
      const file = path.join(home.folder, format);
      const line = `screener signals ls --all -o ${format} | (cat '${gate}'; cat) > '${file}'; ${STATUS}`;
      // Another user each: the allowance of a minute is theirs alone.
      const running = runShell(line, { env: server.env });
      // It reads when pages enough to fill the pipe have been asked for.
      await server.asked(server.requests.length + 4);
      await writeFile(gate, '');
      const ran = await running;
      expect(ran.stdout, format).toBe('0\n');
      const text = readFileSync(file, 'utf8');
      expect(text.length, `characters of ${format}`).toBeGreaterThan(2 * 65_536);
      const items = format === 'json' ? JSON.parse(text).items : parseLines(text);
      expect(items, format).toEqual(samples.cards(250));
    }
  });

  it('a clone that is not installed offers lines that start it', async ({ home }) => {
    const clone = path.join(home.folder, 'a clone');
    cpSync(programFolder(), clone, { recursive: true });
    mkdirSync(path.join(clone, 'src'));
    const inClone = (line: string) =>
      startCommand(['sh', '-c', line], {
        home,
        cwd: clone,
        env: { PATH: `${path.dirname(process.execPath)}:/usr/bin:/bin` },
      }).done;
    const page = await inClone('node bin/screener.js --demo screeners breakout --local');
    const [, onPage = ''] = /^ {2}(.* tune breakout.*)$/m.exec(page.stdout) ?? [];
    expect(onPage).toMatch(/^node bin\/screener\.js --demo /);
    expect(await inClone(onPage)).toMatchObject({ code: 0 });
    // From another folder, and in a hint.
    const hint = await inClone('cd .. && node "a clone/bin/screener.js" today');
    const [, inHint = ''] = /^ {2}(.* --demo today)$/m.exec(hint.stderr) ?? [];
    expect(inHint).toBe("node 'a clone/bin/screener.js' --demo today");
  });
});
