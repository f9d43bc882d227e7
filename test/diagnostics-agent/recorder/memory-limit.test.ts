import {mkdir, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import test from 'ava';
import {readMemoryLimit} from '../../../diagnostics-agent/recorder/memory-limit.js';
import {scratchFolder} from '../../support/gateway.js';

const MIB = 2 ** 20;
const V2 = '30 22 0:27 / /sys/fs/cgroup rw,nosuid shared:1 - cgroup2 cgroup2 rw,nsdelegate\n';
const V1 = '34 30 0:31 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory\n';
const UNLIMITED_V1 = '9223372036854771712';

interface Row {
  readonly title: string;
  readonly mounts: string;
  readonly group: string;
  /** Files below `/sys/fs/cgroup`. */
  readonly files: Readonly<Record<string, string>>;
  readonly limit: number | undefined;
}

const ROWS: readonly Row[] = [
  {
    title: 'version 2: the limit of the group itself',
    mounts: V2,
    group: '0::/app\n',
    files: {'app/memory.max': `${512 * MIB}\n`},
    limit: 512 * MIB,
  },
  {
    title: 'version 2: the lower limit of a parent',
    mounts: V2,
    group: '0::/pod/app\n',
    files: {'pod/app/memory.max': 'max\n', 'pod/memory.max': `${256 * MIB}\n`},
    limit: 256 * MIB,
  },
  {
    title: 'version 2: in a container the group is the root of the mount',
    mounts: V2,
    group: '0::/\n',
    files: {'memory.max': `${64 * MIB}\n`},
    limit: 64 * MIB,
  },
  {
    title: "version 2: a container that sees the host's groups",
    mounts: '30 22 0:27 /docker/abc /sys/fs/cgroup ro - cgroup2 cgroup rw\n',
    group: '0::/docker/abc/app\n',
    files: {'app/memory.max': 'max\n', 'memory.max': `${128 * MIB}\n`},
    limit: 128 * MIB,
  },
  {
    title: 'version 2: a group outside of what is mounted is taken for the mount itself',
    mounts: '30 22 0:27 /docker/abc /sys/fs/cgroup ro - cgroup2 cgroup rw\n',
    group: '0::/../other\n',
    files: {'memory.max': `${32 * MIB}\n`},
    limit: 32 * MIB,
  },
  {title: 'version 2: no limit', mounts: V2, group: '0::/app\n', files: {'app/memory.max': 'max\n'}, limit: undefined},
  {
    title: 'version 1: the limit of the group itself',
    mounts: V1,
    group: '5:cpu,cpuacct:/cpu\n4:memory:/app\n',
    files: {'memory/app/memory.limit_in_bytes': `${512 * MIB}\n`, 'memory/memory.limit_in_bytes': `${UNLIMITED_V1}\n`},
    limit: 512 * MIB,
  },
  {
    title: "version 1: a parent's limit, which only the statistics tell",
    mounts: V1,
    group: '4:memory:/app\n',
    files: {
      'memory/app/memory.limit_in_bytes': `${UNLIMITED_V1}\n`,
      'memory/app/memory.stat': `cache 1\nhierarchical_memory_limit ${100 * MIB}\nhierarchical_memsw_limit 5\n`,
    },
    limit: 100 * MIB,
  },
  {
    title: "version 1: a parent's lower limit, where statistics do not tell",
    mounts: V1,
    group: '4:memory:/pod/app\n',
    files: {
      'memory/pod/app/memory.limit_in_bytes': `${512 * MIB}\n`,
      'memory/pod/memory.limit_in_bytes': `${200 * MIB}\n`,
    },
    limit: 200 * MIB,
  },
  {
    title: 'version 1: no limit is a very large number',
    mounts: V1,
    group: '4:memory:/app\n',
    files: {
      'memory/app/memory.limit_in_bytes': `${UNLIMITED_V1}\n`,
      'memory/app/memory.stat': `hierarchical_memory_limit ${UNLIMITED_V1}\n`,
    },
    limit: undefined,
  },
  {
    title: 'both versions: the memory controller of version 1 beside an empty version 2',
    mounts: `${V1}40 30 0:37 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n`,
    group: '4:memory:/app\n0::/\n',
    files: {'memory/app/memory.limit_in_bytes': `${70 * MIB}\n`},
    limit: 70 * MIB,
  },
  {
    title: 'a mount point with a blank in it',
    mounts: '34 30 0:31 / /sys/fs/cgroup/a\\040b rw - cgroup2 cgroup rw\n',
    group: '0::/\n',
    files: {'a b/memory.max': `${MIB}\n`},
    limit: MIB,
  },
  {title: 'no control groups at all', mounts: '', group: '', files: {}, limit: undefined},
];

for (const {title, mounts, group, files, limit} of ROWS) {
  test(title, async t => {
    const root = await scratchFolder(t);
    const write = async (file: string, content: string): Promise<void> => {
      await mkdir(dirname(join(root, file)), {recursive: true});
      await writeFile(join(root, file), content);
    };
    await write('proc/self/mountinfo', `20 1 0:1 / / rw - ext4 /dev/sda rw\n${mounts}`);
    await write('proc/self/cgroup', group);
    for (const [file, content] of Object.entries(files)) await write(join('sys/fs/cgroup', file), content);
    t.is(readMemoryLimit(root), limit);
  });
}

test('files that are not there are no limit', async t => {
  t.is(readMemoryLimit(await scratchFolder(t)), undefined);
});
