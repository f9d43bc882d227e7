import {closeSync, openSync, readFileSync, readSync, statSync} from 'node:fs';

/**
 * What has been committed stands in a log beside the database until it is copied there. SQLite takes the log up to the
 * first frame whose checksum is wrong and says nothing of the rest, so that is looked for before it is opened.
 * The format is that of https://www.sqlite.org/fileformat2.html#the_write_ahead_log.
 */
const HEADER = 32;
const FRAME_HEADER = 24;
/** The last bit tells the order of the bytes in the words of a checksum. */
const MAGIC = 0x377f0682;
const WORD = 4;

interface Log {
  readonly littleEndian: boolean;
  readonly frameBytes: number;
  readonly salt: string;
  readonly frames: number;
  readonly sum: readonly [number, number];
}

/** What is wrong with the log of a database that was not closed in order; undefined when nothing is missing of it. */
export function problemOfLog(database: string): string | undefined {
  const file = `${database}-wal`;
  const size = statSync(file, {throwIfNoEntry: false})?.size;
  const lost = (why: string) => `the log ${file} ${why}: what was written last, before the gateway died, is lost`;
  if (size === undefined) return lost('is missing');
  const index = indexOf(`${database}-shm`);
  if (size === 0) return index !== undefined && index.frames > 0 ? lost('is empty') : undefined;
  const descriptor = openSync(file, 'r');
  try {
    const log = readHeader(descriptor, size);
    if (log === undefined) return lost('is damaged at its beginning');
    const {valid, isLast} = readFrames(descriptor, log);
    if (!isLast) return lost(`is damaged in frame ${valid + 1} of ${log.frames}`);
    if (index?.salt === log.salt && index.frames > valid) return lost(`has ${valid} of ${index.frames} frames`);
    return undefined;
  } finally {
    closeSync(descriptor);
  }
}

function readHeader(descriptor: number, size: number): Log | undefined {
  const header = Buffer.alloc(HEADER);
  if (readSync(descriptor, header, 0, HEADER, 0) < HEADER) return undefined;
  const magic = header.readUInt32BE(0);
  if ((magic & ~1) !== MAGIC) return undefined;
  const littleEndian = (magic & 1) === 0;
  const sum = checksum(header.subarray(0, FRAME_HEADER), littleEndian, [0, 0]);
  if (sum[0] !== header.readUInt32BE(24) || sum[1] !== header.readUInt32BE(28)) return undefined;
  const frameBytes = FRAME_HEADER + header.readUInt32BE(8);
  const frames = Math.ceil((size - HEADER) / frameBytes);
  return {littleEndian, frameBytes, salt: header.toString('hex', 16, 24), frames, sum};
}

/** How many frames are sound up to a commit, and whether no frame of this log follows the first that is not. */
function readFrames(descriptor: number, log: Log): {readonly valid: number; readonly isLast: boolean} {
  const frame = Buffer.alloc(log.frameBytes);
  let sum = log.sum;
  let isSound = true;
  let valid = 0;
  for (let number = 0; number < log.frames; number++) {
    const length = readSync(descriptor, frame, 0, frame.length, HEADER + number * frame.length);
    // Frames of the log's last round have other salts, and stand there until they are written over.
    const isOwn = length === frame.length && frame.toString('hex', 8, 16) === log.salt;
    if (!isSound) {
      if (isOwn) return {valid, isLast: false};
      continue;
    }
    sum = checksum(
      frame.subarray(FRAME_HEADER),
      log.littleEndian,
      checksum(frame.subarray(0, 8), log.littleEndian, sum),
    );
    isSound = isOwn && sum[0] === frame.readUInt32BE(16) && sum[1] === frame.readUInt32BE(20);
    if (isSound && frame.readUInt32BE(4) !== 0) valid = number + 1;
  }
  return {valid, isLast: true};
}

function checksum(data: Buffer, littleEndian: boolean, [first, second]: readonly [number, number]): [number, number] {
  let a = first;
  let b = second;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  for (let at = 0; at < data.byteLength; at += 2 * WORD) {
    a = (a + view.getUint32(at, littleEndian) + b) >>> 0;
    b = (b + view.getUint32(at + WORD, littleEndian) + a) >>> 0;
  }
  return [a, b];
}

/** How many frames the log had when it was last written to, by the index that readers share; undefined without one. */
function indexOf(file: string): {readonly frames: number; readonly salt: string} | undefined {
  if ((statSync(file, {throwIfNoEntry: false})?.size ?? 0) < 48) return undefined;
  const index = readFileSync(file);
  // The index is in the byte order of the machine, and the salts in it are a copy of those in the log.
  return {
    frames: new Uint32Array(index.buffer.slice(index.byteOffset + 16, index.byteOffset + 20))[0] ?? 0,
    salt: index.toString('hex', 32, 40),
  };
}
