import {createPrivateKey, type KeyObject, X509Certificate} from 'node:crypto';

/** What a file has, or what is wrong with it as the end of a sentence: `has no certificate in PEM that can be read`. */
export type PemContent<Value> = {readonly value: Value; readonly problem?: undefined} | {readonly problem: string};

const BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----[\s\S]*?-----END \1-----/g;
const CUT_OFF = 'is cut off: a block of PEM in it has no end';

/** The certificates of a file, at least one, in its order. Other blocks and text between blocks are left aside. */
export function certificatesIn(content: Buffer): PemContent<readonly X509Certificate[]> {
  const text = content.toString('latin1');
  const blocks = blocksOf(text, label => label === 'CERTIFICATE' || label === 'X509 CERTIFICATE');
  if (isCut(text)) return {problem: CUT_OFF};
  try {
    if (blocks.length > 0) return {value: blocks.map(block => new X509Certificate(block))};
  } catch {
    // One that cannot be read is as good as none.
  }
  return {problem: 'has no certificate in PEM that can be read'};
}

/** The first private key of a file. */
export function privateKeyIn(content: Buffer): PemContent<KeyObject> {
  const text = content.toString('latin1');
  const [block] = blocksOf(text, label => label.endsWith('PRIVATE KEY'));
  if (isCut(text)) return {problem: CUT_OFF};
  if (block !== undefined && /^-----BEGIN ENCRYPTED|^Proc-Type: 4,ENCRYPTED/m.test(block)) {
    return {problem: 'has a private key that is encrypted, expected one without a passphrase'};
  }
  try {
    if (block !== undefined) return {value: createPrivateKey(block)};
  } catch {
    // As above.
  }
  return {problem: 'has no private key in PEM that can be read'};
}

/** Whether a block is left when whole ones have been taken away, or the first dashes of one. */
function isCut(text: string): boolean {
  const between = text.replace(BLOCK, '\0').split('\0');
  return between.some(part => part.includes('-----')) || /-\s*$/.test(between.at(-1) ?? '');
}

function blocksOf(text: string, isWanted: (label: string) => boolean): readonly string[] {
  return [...text.matchAll(BLOCK)].filter(([, label = '']) => isWanted(label)).map(([block]) => block);
}
