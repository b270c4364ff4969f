import { dirname, join } from 'node:path';
import { type GenericSchema, type InferOutput, safeParse } from 'valibot';
import { makeDirectory, replaceFile } from '../runtime/files.ts';
import { readSmallFile } from '../runtime/small-file.ts';

/** What a command keeps in the state directory for a later one. It is a convenience: nothing fails by it. */
export class KeptFile<S extends GenericSchema> {
  readonly #path: string;
  readonly #schema: S;
  readonly #mostBytes: number;

  constructor(stateDirectory: string, name: string, schema: S, mostBytes: number) {
    this.#path = join(stateDirectory, name);
    this.#schema = schema;
    this.#mostBytes = mostBytes;
  }

  /** @returns undefined where there is none, or an unreadable one */
  read(): InferOutput<S> | undefined {
    try {
      const checked = safeParse(this.#schema, JSON.parse(readSmallFile(this.#path, this.#mostBytes)));
      return checked.success ? checked.output : undefined;
    } catch {
      return undefined;
    }
  }

  /**
   * @param synced false for what may be lost with the power
   * @returns whether it could be saved
   */
  async write(value: InferOutput<S>, synced = true): Promise<boolean> {
    try {
      await makeDirectory(dirname(this.#path));
      await replaceFile(this.#path, JSON.stringify(value), synced);
      return true;
    } catch {
      return false;
    }
  }
}
