import {spawnSync} from 'node:child_process';
import {copyFileSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import test from 'ava';
import {LOCAL_NAMES, TestAuthority} from '../../support/certificates.js';
import {CLI, scratchFolder} from '../../support/gateway.js';

const page = readFileSync(new URL('../../../../docs/access.md', import.meta.url), 'utf8');
const blocks = (language: string): readonly string[] =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(([, text = '']) => text);

test('the commands and files of docs/access.md work as they are printed', async t => {
  const folder = await scratchFolder(t);
  const shell = (text: string, input = ''): string => {
    const script = `npx() { shift; "${process.execPath}" "${CLI}" "$@"; }\n${text}`;
    const {status, stdout, stderr} = spawnSync('sh', ['-c', script], {cwd: folder, input, encoding: 'utf8'});
    t.is(status, 0, stderr);
    return stdout + stderr;
  };
  const [token = '', password = ''] = blocks('sh');
  t.like(JSON.parse(shell(token)), {name: 'grafana', rights: ['read']});
  t.regex(readFileSync(join(folder, 'grafana.token'), 'utf8'), /^qg_/);
  t.like(JSON.parse(shell(password, 'secret\n')), {name: 'ops', rights: ['read', 'write', 'admin']});

  const {certificate, key} = new TestAuthority(folder).issue({name: 'gateway', names: LOCAL_NAMES});
  copyFileSync(certificate, join(folder, 'tls.crt'));
  copyFileSync(key, join(folder, 'tls.key'));
  const [config = '', access = ''] = blocks('json');
  writeFileSync(join(folder, 'gateway.config.json'), config);
  writeFileSync(join(folder, 'access.json'), access);
  t.regex(shell('npx query-gateway check'), /the configuration is valid/);
});
