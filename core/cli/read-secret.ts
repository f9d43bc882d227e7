import {isUtf8} from 'node:buffer';
import type {Writable} from 'node:stream';
import type {ReadStream} from 'node:tty';
import {ConfigError} from '../config/config-error.js';

/**
 * A secret from standard input, to its end, or from a terminal, to the end of the line and without showing it. A line's end
 * at its end does not count.
 */
export async function readSecret(input: NodeJS.ReadStream, terminal: Writable): Promise<string> {
  if (input.isTTY) return readLine(input, terminal);
  const chunks: Buffer[] = [];
  for await (const chunk of input) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  if (!isUtf8(bytes)) throw new ConfigError([{path: '', message: 'the password on standard input is not UTF-8'}]);
  return bytes.toString('utf8').replace(/\r?\n$/, '');
}

const [END_OF_TEXT, END_OF_INPUT, BACKSPACE, DELETE] = ['\u0003', '\u0004', '\b', '\u007f'];

async function readLine(input: ReadStream, terminal: Writable): Promise<string> {
  terminal.write('password: ');
  input.setRawMode(true).setEncoding('utf8');
  let line = '';
  try {
    for await (const text of input) {
      for (const character of text as string) {
        if (character === '\r' || character === '\n' || character === END_OF_INPUT) return line;
        if (character === END_OF_TEXT) throw new ConfigError([{path: '', message: 'no password was entered'}]);
        line = character === BACKSPACE || character === DELETE ? [...line].slice(0, -1).join('') : line + character;
      }
    }
    return line;
  } finally {
    input.setRawMode(false);
    terminal.write('\n');
  }
}
