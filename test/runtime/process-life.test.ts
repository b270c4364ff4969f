import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isProcessAlive, processBirth } from '../../src/runtime/process-life.ts';

describe.skipIf(process.platform !== 'linux')('whether a process lives', () => {
  it('its own does, and a later one with the same id is another', () => {
    const born = processBirth(process.pid);
    expect(born).toMatch(/^\d+$/);
    expect(isProcessAlive(process.pid, born)).toBe(true);
    expect(isProcessAlive(process.pid, '1')).toBe(false);
  });

  it('one that has ended does not, also before its parent has asked for its exit code', async () => {
    // The shell becomes a program that never asks what became of the child it inherits.
    const parent = spawn('sh', ['-c', 'sleep 100 & echo $!; exec sleep 100'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    try {
      const [said] = (await once(parent.stdout, 'data')) as [Buffer];
      const pid = Number(said.toString());
      const born = processBirth(pid);
      expect(isProcessAlive(pid, born)).toBe(true);
      // As long as it is the shell, it may still ask.
      const name = () => readFileSync(`/proc/${parent.pid}/comm`, 'utf8').trim();
      await expect.poll(name).toBe('sleep');
      process.kill(pid, 'SIGKILL');
      await expect.poll(() => processBirth(pid)).toBe(null);
      expect(isProcessAlive(pid, born)).toBe(false);
      // It is still there as a zombie: to ask the system alone would take it for alive.
      expect(isProcessAlive(pid)).toBe(true);
    } finally {
      parent.kill('SIGKILL');
    }
  });
});
