import pg from 'pg';

export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

type Query = (this: unknown, statement: Partial<Statement>, ...rest: unknown[]) => unknown;

/** Notes every statement that the PostgreSQL client sends while `work` runs. Nothing else may run meanwhile. */
export async function statementsOf(work: () => Promise<unknown>): Promise<readonly Statement[]> {
  const found: Statement[] = [];
  const client = pg.Client.prototype as unknown as {query: Query};
  const {query} = client;
  client.query = function (statement, ...rest) {
    const {text, values} = statement;
    if (text !== undefined) found.push({text, values: values ?? []});
    return query.call(this, statement, ...rest);
  };
  try {
    await work();
  } finally {
    client.query = query;
  }
  return found;
}
