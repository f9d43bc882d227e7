/**
 * Takes the pictures of docs/console.md from the demo: `npm run screenshots`, after a build. Needs Debian's chromium, or another
 * one whose path is in CHROMIUM.
 */
import {spawn} from 'node:child_process';
import {mkdir, stat} from 'node:fs/promises';
import {createInterface} from 'node:readline';
import {fileURLToPath} from 'node:url';
import {chromium} from 'playwright-core';

const target = fileURLToPath(new URL('../docs/images/', import.meta.url));
const cli = fileURLToPath(new URL('../dist/core/cli/main.js', import.meta.url));
const size = {width: 1120, height: 760};

const demo = spawn(process.execPath, [cli, 'demo', '--port-base', '0'], {stdio: ['ignore', 'pipe', 'pipe']});
const [{listeners}] = await Promise.all([
  firstLine(demo.stdout, line => line.startsWith('{"ready"')).then(JSON.parse),
  firstLine(demo.stderr, line => line.startsWith('Try:')),
]);
const root = listeners.console;
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--headless', '--no-sandbox', '--disable-gpu'],
});
try {
  await mkdir(target, {recursive: true});
  const search = new URLSearchParams({q: '{resource.service.name="gateway" && status=error}', limit: '1'});
  const {traces} = await (await fetch(`${root}/api/traceql-native/api/search?${search}`)).json();
  const expression = "service_percentile{layer='GENERAL',service='checkout',p='50,90,99'}";
  const pages = [
    ['overview', '/', 'table'],
    ['query', `/query?${new URLSearchParams({expr: expression})}`, 'figure'],
    ['traces', `/traces?${new URLSearchParams({source: 'native', q: '{status=error}', range: '6h'})}`, 'table'],
    ['trace', `/traces/native/${traces[0].traceID}`, 'tree'],
    ['services', '/services', 'table'],
    ['service', '/services/GENERAL/checkout', 'figure'],
    ['fleet', '/fleet', 'figure'],
  ];
  for (const [name, path, role] of pages) {
    const page = await browser.newPage({viewport: size, colorScheme: name === 'services' ? 'dark' : 'light'});
    await page.goto(root + path, {waitUntil: 'networkidle'});
    await page.getByRole(role).first().waitFor();
    const file = `${target}console-${name}.png`;
    await page.screenshot({path: file});
    process.stdout.write(`${file} ${Math.round((await stat(file)).size / 1024)} KiB\n`);
    await page.close();
  }
} finally {
  await browser.close();
  demo.kill();
}

function firstLine(stream, matches) {
  return new Promise((resolve, reject) => {
    const lines = createInterface({input: stream});
    lines.on('line', line => matches(line) && resolve(line));
    lines.on('close', () => reject(new Error('the demo has ended')));
  });
}
