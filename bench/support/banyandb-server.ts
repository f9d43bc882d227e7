import {QueryMeasure, QueryTrace} from '../../storage-adapters/banyandb/proto/methods.js';
import {FakeBanyanDB} from '../../test/fixtures/banyandb/fake.js';
import {Seeder} from '../../test/fixtures/banyandb/seed/seeder.js';
import {seed} from './banyandb-data.js';

/** The server of the bench, in a process of its own: tells its address, and the requests since it was last asked. */
const fake = await FakeBanyanDB.start();
seed(Seeder.open(fake), Number(process.argv[2]));
process.on('message', () => {
  const {requests} = fake;
  process.send?.({measures: [...requests.of(QueryMeasure)], traces: [...requests.of(QueryTrace)]});
  requests.reset();
});
process.on('disconnect', () => process.exit());
process.send?.({endpoints: fake.endpoints});
