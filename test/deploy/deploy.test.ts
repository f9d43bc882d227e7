import {execFile} from 'node:child_process';
import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {mkdir, writeFile} from 'node:fs/promises';
import {createRequire} from 'node:module';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import test, {type ExecutionContext} from 'ava';
import {TEST_TLS} from '../fixtures/banyandb/certificate.js';
import {runOver} from '../support/command.js';
import {CLI, scratchFolder} from '../support/gateway.js';
import {get} from '../support/http.js';
import {serveHere} from '../support/library.js';
import {suiteWith} from '../support/programs.js';

const execute = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const DEPLOY = join(ROOT, 'deploy');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const yaml = createRequire(import.meta.url)('js-yaml') as {safeLoadAll(text: string): Manifest[]};

const OPERATING = read('docs/operating.md');
const RULES = read('deploy/prometheus/query-gateway.rules.yaml');
const METRIC = /\b(?:query_gateway|diagnostics|process|nodejs)_[a-z0-9_]+\b/g;
/** What a histogram's series end in. */
const SERIES_END = /_(?:bucket|sum|count)$/;

suiteWith(test, 'promtool', 'the rules are checked', () => {
  test('promtool takes the rules and the configuration of Prometheus, and each alert is raised by what it is for', async t => {
    const cwd = join(DEPLOY, 'prometheus');
    const {stdout} = await execute('promtool', ['check', 'config', 'prometheus.yaml'], {cwd});
    t.regex(stdout, /SUCCESS: 18 rules found/);
    await t.notThrowsAsync(execute('promtool', ['test', 'rules', 'query-gateway.rules.test.yaml'], {cwd}));
  });
});

test('every alert has its test, and its row in docs/operating.md', t => {
  const alerts = [...RULES.matchAll(/alert: (\w+)/g)].map(([, name = '']) => name).sort();
  const tested = [...read('deploy/prometheus/query-gateway.rules.test.yaml').matchAll(/alertname: (\w+)/g)];
  t.deepEqual(tested.map(([, name = '']) => name).sort(), alerts);
  const rows = OPERATING.match(/^\| `QueryGateway.*$/gm) ?? [];
  t.deepEqual(rows.flatMap(row => row.split(' | ')[0]?.match(/QueryGateway\w+/g) ?? []).sort(), alerts);
});

/** The names that a gateway tells which has everything switched on. */
async function exposed(t: ExecutionContext): Promise<readonly string[]> {
  const {urls} = await serveHere(t, {
    config: {
      listeners: Object.fromEntries(
        ['metrics', 'traces', 'ingest', 'admin', 'diagnostics'].map(name => [name, {port: 0}]),
      ),
      storage: {use: 'embedded', config: {path: './data'}},
      plugins: [
        {use: 'promql-subset'},
        {use: 'traceql-compat', enabled: true, prefix: '/compat'},
        {use: 'traceql-native', enabled: true, prefix: '/native'},
        {use: 'ingest'},
        {use: 'diagnostics-proxy', config: {grpcListenAddr: '127.0.0.1:0'}},
      ],
    },
  });
  const {text} = await get(`${urls.admin}/metrics`);
  return [...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name = '']) => name);
}

/** Where names of metrics stand in the sources: those of storages that need a server are found there alone. */
function sources(): string {
  const folders = ['core', 'plugins', 'storage-adapters'];
  const files = folders.flatMap(folder =>
    readdirSync(join(ROOT, folder), {recursive: true, encoding: 'utf8'})
      .filter(name => name.endsWith('.ts'))
      .map(name => `${folder}/${name}`),
  );
  return files.map(read).join('\n');
}

test('docs/operating.md tells of every metric that a gateway has, and of none that it has not', async t => {
  const told = new Set(
    [...OPERATING.matchAll(/^\| (`(?:query_gateway|diagnostics|process|nodejs)_.*?`) \|/gm)].flatMap(
      ([, cell = '']) => cell.match(/\w+/g) ?? [],
    ),
  );
  const names = await exposed(t);
  t.true(names.length > 50);
  t.deepEqual(
    names.filter(name => !told.has(name)),
    [],
  );
  const source = sources();
  const isKnown = (name: string): boolean =>
    names.includes(name) || source.includes(name) || source.includes(`'${name.replace('query_gateway_storage_', '')}'`);
  t.deepEqual(
    [...told].filter(name => !isKnown(name)),
    [],
  );

  // Rules and dashboards ask for nothing else.
  const boards = readdirSync(join(DEPLOY, 'grafana/dashboards')).map(name => read(`deploy/grafana/dashboards/${name}`));
  const ofAgents = /^diagnostics_(?:agent_up|scrape_up|)$/;
  for (const text of [RULES, ...boards.map(board => board.match(/"expr": .*/g)?.join('\n') ?? '')]) {
    const asked = [...new Set(text.match(METRIC))].map(name => (told.has(name) ? name : name.replace(SERIES_END, '')));
    t.deepEqual(
      asked.filter(name => !told.has(name) && !ofAgents.test(name)),
      [],
    );
  }
});

/** Lines of a unit as `Key=value`. */
const unit = (name: string): string => read(`deploy/systemd/${name}`);

suiteWith(test, 'systemd-analyze', 'the units are checked', () => {
  test('systemd takes the units, and counts the gateway as well shut in', async t => {
    const folder = await scratchFolder(t);
    const names = readdirSync(join(DEPLOY, 'systemd'));
    for (const name of names) {
      // The programs of this machine stand for those of the package.
      const text = unit(name).replaceAll('/usr/bin/node', process.execPath);
      await writeFile(join(folder, name), text.replaceAll(/\/opt\S+\/main\.js/g, CLI));
    }
    const {stderr} = await execute('systemd-analyze', ['verify', '--man=no', ...names.map(name => join(folder, name))]);
    t.is(stderr, '');
    const words = ['security', '--offline=true', '--no-pager', '--threshold=20', join(folder, 'query-gateway.service')];
    await t.notThrowsAsync(execute('systemd-analyze', words));
  });
});

test('the unit restarts what dies, but not what is misconfigured, and names files of the package', t => {
  const text = unit('query-gateway.service');
  for (const line of ['Restart=on-failure', 'RestartPreventExitStatus=2', 'ExecReload=/bin/kill -HUP $MAINPID'])
    t.true(text.includes(line), line);
  for (const [, path = ''] of text.matchAll(/node_modules\/query-gateway\/(?:dist\/)?(\S+)/g)) {
    t.true(existsSync(join(ROOT, path.replace(/\.js$/, '.ts'))), path);
  }
  // What docs/operating.md says to type are scripts that a shell takes, over the folders of the units.
  const scripts = [...OPERATING.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, script = '']) => script);
  t.is(scripts.length, 2);
  for (const path of ['/var/lib/private/query-gateway', '/var/backups/query-gateway']) {
    t.true(scripts[0]?.includes(path) && unit('query-gateway-backup.service').includes(path), path);
  }
  return t.notThrowsAsync(execute('sh', ['-n', '-c', scripts.join('')]));
});

interface Manifest {
  readonly kind: string;
  readonly metadata: {readonly name: string};
  readonly data?: Readonly<Record<string, string>>;
  readonly spec?: {
    readonly replicas?: number;
    readonly minAvailable?: number;
    readonly selector?: {readonly matchLabels?: object};
    readonly ports?: readonly {readonly targetPort: string}[];
    readonly volumeClaimTemplates?: readonly {readonly metadata: {readonly name: string}}[];
    readonly template?: {readonly metadata: {readonly labels: object}; readonly spec: PodSpec};
  };
}

interface PodSpec {
  readonly securityContext: object;
  readonly volumes: readonly {readonly name: string}[];
  readonly containers: readonly {
    readonly ports: readonly {readonly name: string; readonly containerPort: number}[];
    readonly securityContext: object;
    readonly livenessProbe: Probe;
    readonly readinessProbe: Probe;
    readonly volumeMounts: readonly {readonly name: string; readonly mountPath: string}[];
  }[];
}

interface Probe {
  readonly httpGet: {readonly path: string; readonly port: string; readonly scheme: string};
}

const MANIFESTS = ['embedded', 'shared-storage'];
const manifests = (name: string): readonly Manifest[] => yaml.safeLoadAll(read(`deploy/kubernetes/${name}.yaml`));

/** What `check` says of a configuration, where the files that it names are there. */
async function check(t: ExecutionContext, text: string): Promise<void> {
  const folder = await scratchFolder(t);
  const tls = join(folder, 'etc/query-gateway-tls');
  const access = join(folder, 'etc/query-gateway-access');
  for (const path of [tls, access]) await mkdir(path, {recursive: true});
  await writeFile(join(tls, 'tls.crt'), TEST_TLS.certificate);
  await writeFile(join(tls, 'tls.key'), TEST_TLS.key);
  await writeFile(
    join(access, 'access.json'),
    JSON.stringify({tokens: [{name: 'grafana', sha256: 'a'.repeat(64), rights: ['read']}]}),
  );
  const config = text.replaceAll('"/etc/', `"${folder}/etc/`);
  const environment = {POSTGRES_URL: 'postgres://gateway:secret@db:5432/telemetry'};
  const checked = await runOver(t, {folder, config, environment});
  t.is(checked.exit, 0, checked.stderr.join('\n'));
}

test('every configuration in deploy is valid', async t => {
  const texts = [read('deploy/gateway.config.json')];
  for (const name of MANIFESTS)
    texts.push(manifests(name).find(({kind}) => kind === 'ConfigMap')?.data?.['gateway.config.json'] ?? '');
  for (const text of texts) await check(t, text);
});

for (const name of MANIFESTS) {
  test(`kubernetes/${name}.yaml probes listeners of its configuration, as nobody, in a system that cannot be written`, t => {
    const all = manifests(name);
    const config = JSON.parse(all.find(({kind}) => kind === 'ConfigMap')?.data?.['gateway.config.json'] ?? '') as {
      listeners: Record<string, {port: number; tls?: object}>;
    };
    const workload = all.find(({kind}) => kind === 'StatefulSet' || kind === 'Deployment')?.spec;
    const pod = workload?.template?.spec;
    const [container] = pod?.containers ?? [];
    if (workload === undefined || pod === undefined || container === undefined) return t.fail('there is no pod');
    t.like(pod.securityContext, {runAsNonRoot: true, seccompProfile: {type: 'RuntimeDefault'}});
    t.deepEqual(container.securityContext, {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: {drop: ['ALL']},
    });
    const ports = Object.fromEntries(container.ports.map(({name: port, containerPort}) => [port, containerPort]));
    t.deepEqual(
      ports,
      Object.fromEntries(Object.entries(config.listeners).map(([listener, {port}]) => [listener, port])),
    );
    for (const [path, probe] of [
      ['/-/healthy', container.livenessProbe],
      ['/-/ready', container.readinessProbe],
    ] as const) {
      t.like(probe.httpGet, {
        path,
        port: 'admin',
        scheme: config.listeners.admin?.tls === undefined ? 'HTTP' : 'HTTPS',
      });
    }
    const volumes = [...pod.volumes, ...(workload.volumeClaimTemplates ?? []).map(({metadata}) => metadata)].map(
      volume => volume.name,
    );
    t.deepEqual(container.volumeMounts.map(({name: mount}) => mount).sort(), [...volumes].sort());
    t.deepEqual(workload.selector?.matchLabels, workload.template?.metadata.labels);
    for (const {spec} of all.filter(({kind}) => kind === 'Service')) {
      t.deepEqual(
        spec?.ports?.map(({targetPort}) => targetPort),
        Object.keys(ports),
      );
    }
    const [budget] = all.filter(({kind}) => kind === 'PodDisruptionBudget');
    // One that keeps a single pod up would keep its node from being drained.
    if (workload.replicas === 1) t.is(budget, undefined);
    else t.true((budget?.spec?.minAvailable ?? 0) < (workload.replicas ?? 0));
    return undefined;
  });
}

test('what the Dockerfile, the compose file and the data sources name is there', t => {
  const dockerfile = read('deploy/Dockerfile');
  const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(([, paths = '']) => paths.split(' '));
  t.true(copied.length > 5);
  const {files} = JSON.parse(read('package.json')) as {files: string[]};
  t.true(files.includes('deploy'));
  const allowed = [...read('.dockerignore').matchAll(/^!(\S+)$/gm)].map(([, path = '']) => path);
  t.deepEqual([...copied].sort(), [...allowed].sort(), 'a build is sent what it copies, and nothing else');
  for (const path of copied) t.true(existsSync(join(ROOT, path)), path);
  for (const [, path = ''] of dockerfile.matchAll(/dist\/(\S+)\.js/g))
    t.true(existsSync(join(ROOT, `${path}.ts`)), path);
  t.regex(dockerfile, /^USER 1000:1000$/m);
  const {listeners} = JSON.parse(read('deploy/gateway.config.json')) as {listeners: Record<string, {port: number}>};
  for (const {port} of Object.values(listeners)) t.regex(dockerfile, new RegExp(`^EXPOSE .*\\b${port}\\b`, 'm'));

  const [compose] = yaml.safeLoadAll(read('deploy/compose.yaml')) as unknown as {
    services: Record<string, {volumes: string[]}>;
  }[];
  for (const {volumes} of Object.values(compose?.services ?? {})) {
    for (const volume of volumes.filter(each => each.startsWith('.')))
      t.true(existsSync(join(DEPLOY, volume.split(':')[0] ?? '')), volume);
  }
  const [sources] = yaml.safeLoadAll(read('deploy/grafana/provisioning/datasources/query-gateway.yaml')) as unknown as {
    datasources: {url: string}[];
  }[];
  const urls = (sources?.datasources ?? []).map(({url}) => url);
  t.deepEqual(urls, [
    `http://gateway:${listeners.metrics?.port}`,
    `http://gateway:${listeners.traces?.port}/compat`,
    `http://gateway:${listeners.traces?.port}/native`,
    'http://prometheus:9090',
  ]);
});

test('the line of the access log in docs/operating.md has the fields that the table below it tells of', t => {
  const [, line = ''] = /```json\n(\{"level".*)\n```/.exec(OPERATING) ?? [];
  const fields = Object.keys(JSON.parse(line) as object);
  const table = (OPERATING.split('## Access log')[1] ?? '').split('## Metrics')[0] ?? '';
  const told = [...table.matchAll(/^\| (`.*?`) \|/gm)].flatMap(([, cell = '']) => cell.match(/\w+/g) ?? []);
  const common = ['level', 'time', 'component', 'msg', 'agent'];
  t.deepEqual(
    fields.filter(field => !told.includes(field) && !common.includes(field)),
    [],
  );
});
