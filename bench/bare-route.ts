import {readFileSync} from 'node:fs';
import fastify from 'fastify';

/**
 * The floor that the gateway is measured against: the same HTTP library, one route per body, a constant answer.
 * Argument: a JSON file with an array of bodies. Prints its ready line as the gateway does.
 */
const bodies = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as readonly string[];
const server = fastify();
bodies.forEach((body, index) => {
  server.get(`/${index}`, (_request, reply) => reply.header('content-type', 'application/json').send(body));
});
const url = await server.listen({host: '127.0.0.1', port: 0});
process.stdout.write(`${JSON.stringify({ready: true, listeners: {bare: url}})}\n`);
process.on('SIGTERM', () => process.exit(0));
