import type {Socket} from 'node:net';
import {closedBy, ListenError, literalHost, OwnPort, type PortAddress} from '../http/port.js';
import type {ClosedPort, OpenedPort} from './calls.js';

/** Somebody to whom connections are given. */
export interface PortMember {
  /** Answered by `took`. */
  give(id: number, connection: number, socket: Socket): void;
  /** Has so many connections of the port end, each with its next answer. */
  shed(id: number, count: number): void;
}

interface SharedPort {
  readonly id: number;
  /** By which it was opened first, and what was asked for: 0 for any port. */
  readonly name: string;
  readonly host: string;
  readonly asked: number;
  readonly port: OwnPort;
  readonly opened: Promise<void>;
  /** With the connections that each has open. */
  readonly members: Map<PortMember, number>;
  /** Connections for which there is nobody at the moment. */
  readonly waiting: Socket[];
}

interface Given {
  readonly shared: SharedPort;
  readonly member: PortMember;
  readonly socket: Socket;
}

/** So many connections wait while no worker is there; more are refused. */
const MOST_WAITING = 4096;

/**
 * The addresses that several processes serve. Each connection goes to the member that has the fewest of that address, so that
 * connections which are kept open are spread evenly too. One that a member has not taken when it dies goes to another.
 */
export class SharedPorts {
  readonly #ports = new Map<number, SharedPort>();
  readonly #given = new Map<number, Given>();
  /** The number of the latest connection that each was given: of equals, whoever waits longest is next. */
  readonly #latest = new WeakMap<PortMember, number>();
  #ids = 0;
  #connections = 0;

  /** Opens the address for a member, or lets it join those that have it. Each can have it once. */
  async open(member: PortMember, address: PortAddress & {readonly name: string}): Promise<OpenedPort | ClosedPort> {
    const known = this.#find(address);
    if (known?.members.has(member)) return {...closedBy(address, IN_USE), system: IN_USE.code};
    const shared = known ?? this.#create(address);
    shared.members.set(member, 0);
    try {
      await shared.opened;
    } catch (error) {
      this.#ports.delete(shared.id);
      if (!(error instanceof ListenError)) throw error;
      const {problem, key, cause} = error;
      return {problem, key, system: (cause as NodeJS.ErrnoException | undefined)?.code};
    }
    for (const socket of shared.waiting.splice(0)) this.#give(shared, socket);
    return {id: shared.id, number: shared.port.number};
  }

  serve(id: number, acceptQueueSize: number): void {
    const shared = this.#ports.get(id);
    shared?.port.serve(this.#takerOf(shared), acceptQueueSize);
  }

  /** The member wants no more connections; the last one closes the address. */
  close(member: PortMember, id: number): void {
    const shared = this.#ports.get(id);
    if (shared?.members.delete(member) && shared.members.size === 0) this.#end(shared);
  }

  took(connection: number): void {
    // The other process has its own hold of the connection; this one lets go.
    this.#given.get(connection)?.socket.destroy();
    this.#given.delete(connection);
  }

  left(member: PortMember, id: number): void {
    const members = this.#ports.get(id)?.members;
    const open = members?.get(member);
    if (open !== undefined) members?.set(member, open - 1);
  }

  /** The member has died. Its addresses stay open, for whoever takes its place. */
  leave(member: PortMember): void {
    for (const {members} of this.#ports.values()) members.delete(member);
    const lost = [...this.#given].filter(([, given]) => given.member === member);
    for (const [connection, {shared, socket}] of lost) {
      this.#given.delete(connection);
      this.#give(shared, socket);
    }
  }

  /** Has those that have more than their part of an address's connections let go of the rest, which come again. */
  spread(): void {
    for (const {id, members} of this.#ports.values()) {
      const all = [...members.values()].reduce((sum, open) => sum + open, 0);
      const part = Math.ceil(all / members.size);
      for (const [member, open] of members) if (open > part) member.shed(id, open - part);
    }
  }

  /** Closes what nobody has come back for. */
  prune(): void {
    for (const shared of this.#ports.values()) if (shared.members.size === 0) this.#end(shared);
  }

  #find({name, host, port}: PortAddress & {readonly name: string}): SharedPort | undefined {
    const isIt = (shared: SharedPort): boolean =>
      shared.host === literalHost(host) &&
      (port === 0 ? shared.asked === 0 && shared.name === name : shared.port.number === port || shared.asked === port);
    return [...this.#ports.values()].find(isIt);
  }

  #create(address: PortAddress & {readonly name: string}): SharedPort {
    const {name, host, port: asked} = address;
    const port: OwnPort = new OwnPort({take: socket => this.#give(shared, socket)}, {pauseOnConnect: true});
    const opened = port.open(name, address);
    const id = ++this.#ids;
    const shared = {id, name, host: literalHost(host), asked, port, opened, members: new Map(), waiting: []};
    this.#ports.set(id, shared);
    return shared;
  }

  #takerOf(shared: SharedPort) {
    return {take: (socket: Socket): void => this.#give(shared, socket)};
  }

  #give(shared: SharedPort, socket: Socket): void {
    const member = this.#leastBusy(shared);
    if (member === undefined) {
      if (shared.waiting.length < MOST_WAITING && this.#ports.has(shared.id)) shared.waiting.push(socket);
      else socket.destroy();
      return;
    }
    const connection = ++this.#connections;
    shared.members.set(member, (shared.members.get(member) ?? 0) + 1);
    this.#latest.set(member, connection);
    this.#given.set(connection, {shared, member, socket});
    member.give(shared.id, connection, socket);
  }

  #leastBusy({members}: SharedPort): PortMember | undefined {
    const rank = (member: PortMember): number => this.#latest.get(member) ?? 0;
    let best: readonly [PortMember, number] | undefined;
    for (const [member, open] of members) {
      const isBetter = best === undefined || open < best[1] || (open === best[1] && rank(member) < rank(best[0]));
      if (isBetter) best = [member, open];
    }
    return best?.[0];
  }

  #end(shared: SharedPort): void {
    this.#ports.delete(shared.id);
    void shared.port.close();
    for (const socket of shared.waiting) socket.destroy();
  }
}

const IN_USE = Object.assign(new Error('the address is open'), {code: 'EADDRINUSE'});
