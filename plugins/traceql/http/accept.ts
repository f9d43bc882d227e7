const RANGES: Readonly<Record<string, readonly string[]>> = {
  'application/protobuf': ['application/protobuf'],
  // As in RFC 9110 12.5.1, the most specific range that the client lists decides.
  'application/json': ['application/json', 'application/*', '*/*'],
};

/**
 * Whether an Accept header asks for protobuf: it names it, and nothing that JSON falls under with a higher weight. Of
 * equal weights protobuf wins, for who names it can read it; a wildcard alone means JSON.
 */
export function prefersProtobuf(accept: string): boolean {
  const weights = weightsOf(accept);
  const weightOf = (type: string): number => {
    const range = RANGES[type]?.find(each => weights.has(each));
    return range === undefined ? 0 : (weights.get(range) ?? 0);
  };
  const protobuf = weightOf('application/protobuf');
  return protobuf > 0 && protobuf >= weightOf('application/json');
}

/** Some senders put blanks around the sign. */
const WEIGHT = /^q\s*=\s*(.+)$/;

/** The weight of each range, 1 unless it says another. */
function weightsOf(accept: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const part of accept.toLowerCase().split(',')) {
    const [range = '', ...parameters] = part.split(';').map(each => each.trim());
    const given = parameters.map(each => WEIGHT.exec(each)?.[1]).find(each => each !== undefined);
    const weight = Number(given ?? 1);
    weights.set(range, Number.isNaN(weight) ? 1 : weight);
  }
  return weights;
}
