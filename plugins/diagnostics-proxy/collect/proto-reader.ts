/** Kinds of fields on the wire. */
export const VARINT = 0;
export const FIXED64 = 1;
export const DELIMITED = 2;
const FIXED32 = 5;

/** A cursor over protobuf bytes. Throws a `RangeError` where they are damaged. */
export class ProtoReader {
  readonly bytes: Buffer;
  position = 0;
  end: number;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
    this.end = bytes.length;
  }

  /** A number below 2^53 exactly; a negative one as protobuf writes it, in ten bytes. */
  varint(): number {
    const {bytes} = this;
    let value = 0;
    let factor = 1;
    for (let count = 0; count < 10; count++) {
      const byte = this.position < this.end ? (bytes[this.position++] as number) : -1;
      if (byte < 0) break;
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value >= 2 ** 63 ? value - 2 ** 64 : value;
      factor *= 128;
    }
    throw new RangeError('a number of the message is damaged');
  }

  /** Where the delimited field that begins here ends. */
  limit(): number {
    const length = this.varint();
    const limit = this.position + length;
    if (length < 0 || limit > this.end) throw new RangeError('a field of the message is longer than the message');
    return limit;
  }

  text(): string {
    const limit = this.limit();
    const text = this.bytes.toString('utf8', this.position, limit);
    this.position = limit;
    return text;
  }

  double(): number {
    this.position += 8;
    if (this.position > this.end) throw new RangeError('the message ends within a number');
    return this.bytes.readDoubleLE(this.position - 8);
  }

  /** Passes over the value of a field that is not known. */
  skip(wireType: number): void {
    if (wireType === VARINT) this.varint();
    else if (wireType === FIXED64) this.position += 8;
    else if (wireType === DELIMITED) this.position = this.limit();
    else if (wireType === FIXED32) this.position += 4;
    else throw new RangeError(`the message has a field of the unknown kind ${wireType}`);
    if (this.position > this.end) throw new RangeError('the message ends within a field');
  }
}
