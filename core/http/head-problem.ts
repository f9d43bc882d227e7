import type {IncomingMessage} from 'node:http';

/** Why a request is refused whatever its path, and the status that says so. */
export interface HeadProblem {
  readonly status: number;
  readonly message: string;
}

/** What RFC 9112 forbids and the parser lets pass. A proxy may read such a request as another one than we do. */
export function headProblem({headers, rawHeaders, httpVersionMinor}: IncomingMessage): HeadProblem | undefined {
  // HTTP/1.1 demands the header, if only empty.
  if (headers.host === undefined && httpVersionMinor === 1) return bad('the header "Host" is missing');
  // Of several the parser keeps the first.
  if (hasTwoHosts(rawHeaders)) return bad('the header "Host" stands more than once');
  const coding = headers['transfer-encoding'];
  return coding === undefined || coding.toLowerCase() === 'chunked' ? undefined : codingProblem(coding);
}

function hasTwoHosts(rawHeaders: readonly string[]): boolean {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') count++;
  }
  return count > 1;
}

/** Without chunks as the last coding nothing tells where the body ends. */
function codingProblem(coding: string): HeadProblem {
  const message = `found "Transfer-Encoding: ${coding}", expected chunked or none`;
  return /(?:^|,)\s*chunked\s*$/i.test(coding) ? {status: 501, message} : bad(message);
}

function bad(message: string): HeadProblem {
  return {status: 400, message};
}
