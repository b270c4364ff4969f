import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { buildProgram, everyCommand } from '../../src/cli/program.ts';
import { SHELLS } from '../../src/cli/shells.ts';
import { flat, modelOf, PLACEHOLDERS } from '../../src/completion/model.ts';
import { completionScript } from '../../src/completion/scripts.ts';
import { testContext } from '../support/context.ts';
import { runScreener } from '../support/run.ts';
import { SCRIPTS } from './support.ts';

const program = () => buildProgram(testContext());

describe('the scripts', () => {
  for (const shell of SHELLS) {
    it(`for ${shell}: completions/ is what the tree of commands gives, and what the program prints`, async () => {
      const text = await completionScript(program(), shell);
      expect(readFileSync(SCRIPTS[shell], 'utf8'), 'run `npm run completions`').toBe(text);
      expect(await runScreener(['completion', shell])).toMatchObject({ code: 0, stdout: text, stderr: '' });
    });
  }

  it('an unknown shell is wrong usage', async () => {
    const { code, stderr, stdout } = await runScreener(['completion', 'fihs']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/no shell 'fihs'. Did you mean 'fish'\?/);
  });
});

describe('the model', () => {
  it('knows what every placeholder of the tree takes', () => {
    const placeholders = everyCommand(program()).flatMap((command) => [
      ...command.options.map(({ flags }) => /[<[](.+?)[>\]]/.exec(flags)?.[1]),
      ...(isHelp(command) ? [] : command.registeredArguments.map((argument) => argument.name())),
    ]);
    const unknown = placeholders.filter((name) => name !== undefined && !Object.hasOwn(PLACEHOLDERS, name));
    expect(unknown).toEqual([]);
  });

  it('has one meaning for an option wherever it stands: bash and fish tell them apart by name', async () => {
    const meanings = new Map<string, string>();
    for (const { options } of flat(await modelOf(program()))) {
      for (const { flags, values } of options) {
        for (const flag of flags) {
          const meaning = JSON.stringify(values ?? 'switch');
          expect(meanings.get(flag) ?? meaning, flag).toBe(meaning);
          meanings.set(flag, meaning);
        }
      }
    }
  });

  it('holds nothing that a shell would read as anything but a word', async () => {
    for (const { path, names, fields } of flat(await modelOf(program()))) {
      for (const text of [...path, ...names, ...fields.map(({ name }) => name)]) expect(text).toMatch(/^[\w.-]+$/);
    }
  });
});

function isHelp(command: Command): boolean {
  return command.name() === 'help';
}
