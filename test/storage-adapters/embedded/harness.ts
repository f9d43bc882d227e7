import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {EmbeddedConfig} from '../../../storage-adapters/embedded/config.js';
import {EmbeddedStorage, type TestHooks} from '../../../storage-adapters/embedded/storage.js';
import type {Owner} from '../../support/gateway.js';
import {StorageHarness} from '../support/storage-harness.js';

/** A folder that goes with the test, after the adapters on it have been stopped. */
export async function temporaryFolder(t: Owner): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-embedded-'));
  t.teardown(async () => {
    for (const harness of Harness.all) if (harness.path.startsWith(folder)) await harness.storage.stop();
    await rm(folder, {recursive: true, force: true});
  });
  return folder;
}

/** An adapter on a folder with its readers. */
export class Harness extends StorageHarness<EmbeddedStorage> {
  static readonly all = new Set<Harness>();
  readonly path: string;

  constructor(config: Partial<EmbeddedConfig> & {readonly path: string}, hooks: TestHooks = {}) {
    const complete: EmbeddedConfig = {durability: 'process', memory: 16 * 2 ** 20, ...config};
    super(context => new EmbeddedStorage({...context, config: complete}, hooks));
    this.path = config.path;
    Harness.all.add(this);
  }

  static async open(
    config: Partial<EmbeddedConfig> & {readonly path: string},
    hooks: TestHooks = {},
  ): Promise<Harness> {
    const harness = new Harness(config, hooks);
    await harness.start();
    return harness;
  }
}
