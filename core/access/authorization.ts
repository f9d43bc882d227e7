/** What a caller shows. */
export type Credentials = {readonly token: string} | {readonly user: string; readonly password: string};

const SHAPE = /^(bearer|basic) +([\w~+/.-]+=*) *$/i;

/** Reads the header `Authorization` as RFC 6750 and RFC 7617 have it; undefined for what is neither. */
export function readAuthorization(header: string): Credentials | undefined {
  const [, scheme = '', value = ''] = SHAPE.exec(header) ?? [];
  if (scheme.toLowerCase() === 'bearer') return {token: value};
  if (scheme === '') return undefined;
  const text = Buffer.from(value, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon < 0 ? undefined : {user: text.slice(0, colon), password: text.slice(colon + 1)};
}
