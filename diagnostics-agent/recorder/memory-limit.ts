import {readFileSync} from 'node:fs';
import {join, relative} from 'node:path';

/** Version 1 writes "no limit" as a number near 2^63, rounded to pages. No machine has as much. */
const NO_LIMIT = 2 ** 60;

interface Mount {
  /** The folder of the hierarchy that is mounted: not `/` in a container that sees the host's cgroups. */
  readonly root: string;
  readonly point: string;
  readonly version: 1 | 2;
}

/**
 * The memory limit in bytes of the control group that this process is in: the lowest one on the way up, in either
 * version of cgroups. Undefined when there is none, or none that can be read. `root` stands before every path.
 */
export function readMemoryLimit(root = '/'): number | undefined {
  const mounts = parseMounts(read(join(root, 'proc/self/mountinfo')));
  const groups = read(join(root, 'proc/self/cgroup')).split('\n');
  const limits = mounts.flatMap(mount => limitsOf(root, mount, groups));
  const lowest = Math.min(...limits.filter(limit => limit < NO_LIMIT));
  return Number.isFinite(lowest) ? lowest : undefined;
}

function limitsOf(root: string, {root: top, point, version}: Mount, groups: readonly string[]): number[] {
  const group = groups
    .map(line => /^(\d+):([^:]*):(.*)$/.exec(line))
    .find(match => (version === 2 ? match?.[1] === '0' && match[2] === '' : match?.[2]?.split(',').includes('memory')));
  const limits: number[] = [];
  for (let path = below(top, group?.[3] ?? '/'); ; path = join(path, '..')) {
    const folder = join(root, point, path);
    if (version === 2) {
      limits.push(numberIn(read(join(folder, 'memory.max')), /^(\d+)$/m));
    } else {
      limits.push(numberIn(read(join(folder, 'memory.limit_in_bytes')), /^(\d+)$/m));
      limits.push(numberIn(read(join(folder, 'memory.stat')), /^hierarchical_memory_limit (\d+)$/m));
    }
    if (path === '/') return limits;
  }
}

/** The path of the group under the mount; the mount itself when the group lies outside of what is mounted. */
function below(top: string, group: string): string {
  const path = relative(top, group);
  return path === '..' || path.startsWith('../') ? '/' : join('/', path);
}

/** One mount a line: number, parent, device, root, mount point, options, optional fields, `-`, type, source, options. */
function parseMounts(text: string): Mount[] {
  return text.split('\n').flatMap((line): Mount[] => {
    const [place = '', filesystem = ''] = line.split(' - ');
    const [, , , root = '/', point = ''] = place.split(' ').map(unescapeOctal);
    const [type, , options = ''] = filesystem.split(' ');
    if (type === 'cgroup2') return [{root, point, version: 2}];
    return type === 'cgroup' && options.split(',').includes('memory') ? [{root, point, version: 1}] : [];
  });
}

const unescapeOctal = (text: string): string =>
  text.replace(/\\([0-7]{3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8)));

function numberIn(text: string, pattern: RegExp): number {
  const digits = pattern.exec(text)?.[1];
  return digits === undefined ? Number.POSITIVE_INFINITY : Number(digits);
}

/** Empty when the file is not there: which files exist differs between versions and containers. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
