import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';

/** A process with a metrics page of as many samples as its argument says; it sends its port to its parent. */
const lines = Number(process.argv[2]);
const families = Math.ceil(lines / 100);
let page = '';
for (let family = 0; family < families; family++) {
  page += `# HELP database_family_${family}_total What this family of counters counts.\n`;
  page += `# TYPE database_family_${family}_total counter\n`;
  for (let i = 0; i < Math.min(100, lines - 100 * family); i++) {
    page += `database_family_${family}_total{group="sw_metricsMinute",operation="op_${i % 10}",shard="${i}"} ${family * 1000 + i / 8}\n`;
  }
}
const bytes = Buffer.from(page);
const server = createServer((_, response) => response.end(bytes));
server.listen(0, 'localhost', () => process.send?.((server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit());
