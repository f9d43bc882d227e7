import {once} from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type {AddressInfo} from 'node:net';
import {buffer} from 'node:stream/consumers';
import {Pool} from 'undici';
import {rowDecoder} from './row-binary.js';

/** A statement as it went to the server. */
interface Statement {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly begun: number;
  ended: number;
}

/** Statements that belong to one read: groups one after the other, those of a group at the same time. */
export type Recording = readonly (readonly Statement[])[];

/** Stands between the adapter and the server, and keeps what the adapter asks, for a client to ask the same. */
export class StatementRecorder {
  readonly #server: Server;
  readonly #pool: Pool;
  #statements: Statement[] = [];

  private constructor(target: string) {
    this.#pool = new Pool(target);
    this.#server = createServer((request, response) => void this.#pass(request, response));
  }

  static async before(target: string): Promise<StatementRecorder> {
    const recorder = new StatementRecorder(target);
    await once(recorder.#server.listen(0, '127.0.0.1'), 'listening');
    return recorder;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** What was asked since the last call. */
  take(): Recording {
    const groups: Statement[][] = [];
    let until = Number.NEGATIVE_INFINITY;
    for (const statement of this.#statements) {
      if (statement.begun >= until) groups.push([]);
      groups.at(-1)?.push(statement);
      until = Math.max(until, statement.ended);
    }
    this.#statements = [];
    return groups;
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await this.#pool.close();
  }

  async #pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const begun = performance.now();
    const body = await buffer(request);
    const statement = {path: request.url ?? '/', headers: kept(request.headers), body, begun, ended: 0};
    this.#statements.push(statement);
    const answer = await this.#pool.request({...statement, method: 'POST'});
    const bytes = await answer.body.arrayBuffer();
    statement.ended = performance.now();
    response.writeHead(answer.statusCode).end(Buffer.from(bytes));
  }
}

/** A statement that a client asks, which knows what the columns of its answer are. */
interface Question {
  readonly statement: Statement;
  readonly decode: (answer: Buffer) => readonly unknown[];
}

export type Replay = readonly (readonly Question[])[];

/** Finds out what the columns of the answers are. */
export async function replayOf(pool: Pool, recording: Recording): Promise<Replay> {
  return Promise.all(
    recording.map(group =>
      Promise.all(
        group.map(async statement => {
          const {path, headers, body} = statement;
          const described = `DESCRIBE (${body.toString().replace(/ FORMAT RowBinary$/, '')})`;
          const answer = await pool.request({path, headers, body: described, method: 'POST'});
          const columns = (await answer.body.text()).trimEnd().split('\n');
          return {statement, decode: rowDecoder(columns.map(column => column.split('\t')[1] ?? ''))};
        }),
      ),
    ),
  );
}

/** Asks the same as the adapter did, and decodes the rows; gives their number. */
export async function replay(pool: Pool, questions: Replay): Promise<number> {
  let rows = 0;
  for (const group of questions) {
    await Promise.all(
      group.map(async ({statement: {path, headers, body}, decode}) => {
        const answer = await pool.request({path, headers, body, method: 'POST'});
        const bytes = Buffer.from(await answer.body.arrayBuffer());
        if (answer.statusCode !== 200) throw new Error(`the server answers ${answer.statusCode} to ${path}`);
        rows += decode(bytes).length;
      }),
    );
  }
  return rows;
}

function kept(headers: IncomingHttpHeaders): Readonly<Record<string, string>> {
  const names = ['x-clickhouse-user', 'x-clickhouse-key', 'accept-encoding', 'content-encoding'];
  return Object.fromEntries(
    names.flatMap(name => (headers[name] === undefined ? [] : [[name, String(headers[name])]])),
  );
}
