import type {ExecutionContext} from 'ava';
import type {MetricDefinition} from '../../../../core/api/adapter.js';
import {Problems} from '../../../../core/config/config-error.js';
import {validate} from '../../../../core/config/validate.js';
import {type BanyanDBConfig, configSchema} from '../../../../storage-adapters/banyandb/config.js';
import {BanyanDBStorage} from '../../../../storage-adapters/banyandb/storage.js';
import {FakeBanyanDB, type FakeOptions} from '../../../fixtures/banyandb/fake.js';
import {Seeder, type SeederOptions} from '../../../fixtures/banyandb/seed/seeder.js';
import {call} from '../../support/calls.js';
import {StorageHarness} from '../../support/storage-harness.js';

/** An adapter over a fake, with what it has logged as warnings. */
export class Opened extends StorageHarness<BanyanDBStorage> {
  /** `config` as an operator writes it. */
  constructor(config: Partial<BanyanDBConfig>) {
    const problems = new Problems();
    const settled = validate(configSchema, config, 'config', {environment: {}, folder: '.', problems});
    problems.throwIfAny();
    super(context => new BanyanDBStorage({...context, config: settled as BanyanDBConfig}));
  }

  get capabilities(): readonly string[] {
    return Object.keys(this.readers).sort();
  }

  async metric(name: string): Promise<MetricDefinition> {
    const found = (await this.metrics.catalog(call)).find(metric => metric.name === name);
    if (found === undefined) throw new Error(`the catalog lacks '${name}'`);
    return found;
  }
}

export interface SceneOptions {
  readonly fake?: FakeOptions;
  readonly seed?: SeederOptions;
  readonly config?: Partial<BanyanDBConfig>;
  /** Stored before the adapter starts. */
  readonly data?: (seeder: Seeder) => void;
}

export interface Scene {
  readonly fake: FakeBanyanDB;
  readonly seeder: Seeder;
  readonly adapter: Opened;
}

/** A fake with the layout of a deployment in it, and an adapter that has started on it; both end with the test. */
export async function openScene(t: ExecutionContext, options: SceneOptions = {}): Promise<Scene> {
  const fake = await FakeBanyanDB.start(options.fake);
  t.teardown(() => fake.stop());
  const seeder = Seeder.open(fake, options.seed);
  options.data?.(seeder);
  const adapter = new Opened({endpoints: fake.endpoints, ...options.config});
  t.teardown(() => adapter.storage.stop());
  await adapter.start();
  fake.requests.reset();
  return {fake, seeder, adapter};
}
