import {execFileSync} from 'node:child_process';
import {rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {type Owner, scratchFolder} from '../gateway.js';

/** A disk of little space of its own, in memory. Mounting it takes root. */
export class SmallDisk {
  readonly folder: string;
  readonly #ballast: string;

  private constructor(folder: string) {
    this.folder = folder;
    this.#ballast = join(folder, 'ballast');
  }

  /** Unmounted at the end of its owner. */
  static async mount(t: Owner, megabytes: number): Promise<SmallDisk> {
    const folder = await scratchFolder(t);
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=777`, 'tmpfs', folder]);
    t.teardown(() => execFileSync('umount', ['--lazy', folder]));
    return new SmallDisk(folder);
  }

  /** Takes all space that is left. */
  async fill(): Promise<void> {
    const block = Buffer.alloc(1 << 20);
    for (let size = block.length; size >= 1; size = Math.floor(size / 16)) {
      for (;;) {
        try {
          await writeFile(this.#ballast, block.subarray(0, size), {flag: 'a'});
        } catch {
          break;
        }
      }
    }
  }

  /** Gives it back. */
  async free(): Promise<void> {
    await rm(this.#ballast, {force: true});
  }
}

/** Why no such disk can be had here, or undefined. */
export function whyNoSmallDisk(): string | undefined {
  return process.getuid?.() === 0 ? undefined : 'only root can mount a disk of little space';
}
