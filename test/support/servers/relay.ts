import {once} from 'node:events';
import {type AddressInfo, connect, createServer, type Server, type Socket} from 'node:net';
import {setTimeout as sleep} from 'node:timers/promises';
import type {Owner} from '../gateway.js';

/** A TCP relay in front of a server, on which connections break in the ways in which networks break them. */
export class Relay {
  readonly port: number;
  #target: number;
  readonly #open = new Set<Socket>();
  #refuses = false;
  #delay = 0;
  #cutAfter = Number.POSITIVE_INFINITY;

  private constructor(server: Server, target: number) {
    this.#target = target;
    this.port = (server.address() as AddressInfo).port;
    server.on('connection', socket => this.#relay(socket));
  }

  /** A relay to this port of 127.0.0.1, closed at the end of its owner. */
  static async to(t: Owner, target: number): Promise<Relay> {
    const server = createServer({allowHalfOpen: true}).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const relay = new Relay(server, target);
    t.teardown(() => {
      relay.cut();
      server.close();
    });
    return relay;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Connections that are open towards the client. */
  get connections(): number {
    return this.#open.size;
  }

  /** Resets every connection that is open now. */
  cut(): void {
    for (const socket of this.#open) reset(socket);
  }

  /** Leads to this port from now on, as an address does that has moved to another machine. */
  moveTo(target: number): void {
    this.#target = target;
    this.cut();
  }

  /** Resets every connection, those to come as soon as they are made, until `heal`. */
  refuse(): void {
    this.#refuses = true;
    this.cut();
  }

  /** Holds back everything that the server sends by so many milliseconds, until `heal`. */
  slow(milliseconds: number): void {
    this.#delay = milliseconds;
  }

  /** Ends a connection once the server has sent so many bytes on it from now on, until `heal`. */
  cutAfter(bytes: number): void {
    this.#cutAfter = bytes;
  }

  /** From now on everything passes again. */
  heal(): void {
    this.#refuses = false;
    this.#delay = 0;
    this.#cutAfter = Number.POSITIVE_INFINITY;
  }

  #relay(client: Socket): void {
    if (this.#refuses) {
      client.resetAndDestroy();
      return;
    }
    const upstream = connect({port: this.#target, host: '127.0.0.1', allowHalfOpen: true});
    this.#open.add(client);
    client.on('error', () => upstream.destroy()).on('close', () => this.#open.delete(client) && upstream.destroy());
    upstream.on('error', () => reset(client)).on('close', () => client.destroySoon());
    client.pipe(upstream);
    void this.#forward(upstream, client).catch(() => reset(client));
  }

  async #forward(from: Socket, to: Socket): Promise<void> {
    let sent = 0;
    for await (const chunk of from as AsyncIterable<Buffer>) {
      // What is held back must not hold back the end of the tests.
      if (this.#delay > 0) await sleep(this.#delay, undefined, {ref: false});
      const left = this.#cutAfter - sent;
      sent = left === Number.POSITIVE_INFINITY ? 0 : sent + chunk.length;
      to.write(chunk.subarray(0, Math.min(chunk.length, left)));
      if (chunk.length >= left) {
        // What was written before the cut still arrives: a reset would drop it.
        to.destroySoon();
        from.destroy();
        return;
      }
    }
    to.end();
  }
}

/** A socket that is being shut down cannot be reset: Node would then never close it. */
function reset(socket: Socket): void {
  if (socket.writableEnded) socket.destroy();
  else socket.resetAndDestroy();
}
