import {X509Certificate} from 'node:crypto';
import {copyFileSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {connect, type PeerCertificate} from 'node:tls';
import test from 'ava';
import {parseFlags} from '../../core/cli/flags/parse.js';
import {FLAGS, optionsOf} from '../../diagnostics-agent/flags.js';
import {
  agentsUntil,
  openProxy,
  runProgram as runProxy,
  startProgram as startProxy,
} from '../plugins/diagnostics-proxy/support/proxy.js';
import {type CertificateFiles, LOCAL_NAMES, TestAuthority} from '../support/certificates.js';
import {suiteWith} from '../support/programs.js';
import {startAgentProgram} from './support/agent-program.js';
import {startScene} from './support/scene.js';

suiteWith(test, 'openssl', 'the channel over TLS', () => {
  const folder = mkdtempSync(join(tmpdir(), 'query-gateway-'));
  test.after.always(() => rmSync(folder, {recursive: true}));
  const authority = new TestAuthority(folder);
  const others = new TestAuthority(folder, 'others');
  const server = authority.issue({name: 'proxy', names: LOCAL_NAMES});
  const agent = authority.issue({name: 'agent'});
  const foreign = others.issue({name: 'agent'});
  const LOST = 'there is no connection to the proxy, it is tried again';

  const serving = ({certificate, key}: CertificateFiles): readonly string[] => [
    `--grpc-tls-cert-file=${certificate}`,
    `--grpc-tls-key-file=${key}`,
  ];
  const showing = ({certificate, key}: CertificateFiles): readonly string[] => [
    `--proxy-tls-cert-file=${certificate}`,
    `--proxy-tls-key-file=${key}`,
  ];
  const trusting = `--proxy-tls-ca-file=${authority.ca}`;
  const asking = `--grpc-tls-client-ca-file=${authority.ca}`;

  test.serial('agents register over TLS, and show certificates where they are asked for', async t => {
    const proxy = await startProxy(t, [...serving(server), asking]);
    t.regex(proxy.grpc, /^127\.0\.0\.1:\d+$/);
    await startAgentProgram(t, proxy.grpc, trusting, ...showing(agent));
    await startAgentProgram(
      t,
      proxy.grpc.replace('127.0.0.1', 'localhost'),
      '--pod-name=other',
      trusting,
      ...showing(agent),
    );
    await agentsUntil(proxy, ({length}) => length === 2);
    t.pass();
  });

  test.serial('the program answers over TLS too, and its ready line says so', async t => {
    const {certificate, key} = server;
    const proxy = await startProxy(t, [`--http-tls-cert-file=${certificate}`, `--http-tls-key-file=${key}`]);
    t.regex(proxy.url, /^https:\/\/127\.0\.0\.1:\d+$/);
    t.is(await shownBy(new URL(proxy.url).host), serialOf(certificate));
  });

  interface Refused {
    readonly title: string;
    readonly proxy?: object;
    readonly agent: Readonly<Record<string, string>>;
    readonly reason: RegExp;
  }

  const REFUSED: readonly Refused[] = [
    {
      title: 'a proxy of an unknown authority',
      agent: {'proxy-tls': 'true'},
      reason: /^its certificate is not trusted; set --proxy-tls-ca-file to its authority/,
    },
    {
      title: 'a proxy of another name',
      proxy: authority.issue({name: 'proxy', names: ['DNS:elsewhere.example']}),
      agent: {'proxy-tls-ca-file': authority.ca},
      reason: /^its certificate is of another name; name the host as the certificate does \(/,
    },
    {
      title: 'a proxy whose certificate has expired',
      proxy: authority.issue({name: 'proxy', names: LOCAL_NAMES, days: -1}),
      agent: {'proxy-tls-ca-file': authority.ca},
      reason: /^its certificate has expired/,
    },
    {
      title: 'a proxy that asks for a certificate',
      proxy: {...server, clientCa: authority.ca},
      agent: {'proxy-tls-ca-file': authority.ca},
      reason: /^it asks for a certificate of its clients; set --proxy-tls-cert-file/,
    },
  ];

  for (const {title, proxy = server, agent, reason} of REFUSED) {
    test.serial(`an agent says why it cannot register with ${title}`, async t => {
      const {grpc} = await openProxy(t, {grpcTls: proxy});
      const scene = await startScene(t, {flags: {'proxy-addr': grpc, ...agent}});
      const line = await scene.agent.logged(LOST);
      t.is(line.proxy, grpc);
      t.regex(String(line.reason), reason);
    });
  }

  test.serial('a proxy takes no agent with the certificate of another authority', async t => {
    const proxy = await startProxy(t, [...serving(server), asking]);
    const {run} = await startAgentProgram(t, proxy.grpc, trusting, ...showing(foreign));
    await run.logged(LOST);
    await startAgentProgram(t, proxy.grpc, '--pod-name=known', trusting, ...showing(agent));
    const agents = await agentsUntil(proxy, ({length}) => length > 0);
    t.deepEqual(
      agents.map(({pod_name}) => pod_name),
      ['known'],
    );
  });

  const serialOf = (certificate: string): string => new X509Certificate(readFileSync(certificate)).serialNumber;

  /** What a server shows, by the serial number of its certificate; fails when the handshake does. */
  async function shownBy(address: string): Promise<string> {
    const port = Number(address.split(':')[1]);
    const socket = connect({
      port,
      host: '127.0.0.1',
      servername: 'localhost',
      ALPNProtocols: ['h2', 'http/1.1'],
      ca: readFileSync(authority.ca),
    });
    try {
      const peer = await new Promise<PeerCertificate>((resolve, reject) => {
        socket.once('secureConnect', () => resolve(socket.getPeerCertificate())).once('error', reject);
      });
      return peer.serialNumber;
    } finally {
      socket.destroy();
    }
  }

  test.serial('certificates of both ends change while agents come and go, and no handshake fails', async t => {
    const path = (name: string): string => join(folder, `used-${name}`);
    const files = {certificate: path('proxy.crt'), key: path('proxy.key')};
    const put = ({certificate, key}: CertificateFiles, to: CertificateFiles): void => {
      for (const [from, target] of [
        [certificate, to.certificate],
        [key, to.key],
      ] as const) {
        copyFileSync(from, `${target}~`);
        renameSync(`${target}~`, target);
      }
    };
    put(server, files);
    const proxy = await startProxy(t, serving(files));
    let handshakes = 0;
    let isOver = false;
    let current = '';
    const shaking = async (): Promise<void> => {
      for (; !isOver; handshakes++) {
        current = await shownBy(proxy.grpc);
        await sleep(5);
      }
    };
    const running = Promise.all([shaking(), shaking()]);
    running.catch(() => undefined);
    const until = async (isTrue: () => boolean): Promise<void> => {
      while (!isTrue()) await Promise.race([running, sleep(10)]);
    };
    await until(() => current !== '');
    const first = current;

    put(authority.issue({name: 'proxy', names: LOCAL_NAMES}), files);
    await until(() => current !== first);
    const second = current;
    // Torn, wrong and missing files leave what was good.
    writeFileSync(files.certificate, readFileSync(server.certificate, 'latin1').slice(0, 200));
    const line = await proxy.run.logged('files that have changed cannot be used, the last good ones stay');
    t.like(line, {level: 'warn', what: 'tls:grpc'});
    t.is(
      line.problem,
      `grpcTls.certificate names ${files.certificate}, which is cut off: a block of PEM in it has no end`,
    );
    rmSync(files.key);
    const before = handshakes;
    await until(() => handshakes > before + 100);
    t.is(current, second);
    put(server, files);
    await until(() => current === first);
    isOver = true;
    await running;
    await startAgentProgram(t, proxy.grpc, trusting);
    await agentsUntil(proxy, ({length}) => length === 1);
  });

  const NOTHING = join(folder, 'nothing');
  const MISTAKES: readonly (readonly [program: 'proxy' | 'agent', words: readonly string[], message: string])[] = [
    [
      'proxy',
      [`--grpc-tls-cert-file=${server.certificate}`],
      '--grpc-tls-key-file: missing; expected text that is not empty',
    ],
    ['proxy', [`--http-tls-key-file=${server.key}`], '--http-tls-cert-file: missing; expected text that is not empty'],
    ['proxy', [`--access-file=${NOTHING}`], `--access-file: names ${NOTHING}, which does not exist`],
    ['proxy', [asking], '--grpc-tls-cert-file: missing; expected text that is not empty'],
    [
      'proxy',
      serving({...server, key: agent.key}),
      `--grpc-tls-key-file: names ${agent.key}, which does not fit the certificate in ${server.certificate}`,
    ],
    ['proxy', serving({...server, key: NOTHING}), `--grpc-tls-key-file: names ${NOTHING}, which does not exist`],
    ['agent', [`--proxy-tls-ca-file=${NOTHING}`], `proxy-tls-ca-file names ${NOTHING}, which does not exist`],
    [
      'agent',
      [`--proxy-tls-cert-file=${agent.certificate}`],
      'proxy-tls-key-file missing; expected beside proxy-tls-cert-file',
    ],
    [
      'agent',
      showing({...agent, key: server.key}),
      `proxy-tls-key-file names ${server.key}, which does not fit the certificate in ${agent.certificate}`,
    ],
    ['agent', [`--proxy-token-file=${NOTHING}`], `proxy-token-file names ${NOTHING}, which does not exist`],
    [
      'agent',
      [`--proxy-token-file=${server.certificate}`],
      `proxy-token-file names ${server.certificate}, which holds blanks or characters that a token cannot have`,
    ],
  ];

  for (const [program, words, message] of MISTAKES) {
    test.serial(
      `the ${program} with ${words.map(word => word.replaceAll(folder, '')).join(' ')} says what is wrong`,
      async t => {
        if (program === 'agent') {
          t.throws(() => optionsOf(parseFlags(FLAGS, words)), {message});
          return;
        }
        const run = runProxy(t, words);
        t.is(await run.exit, 2);
        t.true(run.stderr.includes(`Error: ${message}`), run.stderr.slice(0, 3).join('\n'));
      },
    );
  }
});
