import {randomBytes} from 'node:crypto';
import type {Reply} from '../../../core/api/plugin.js';
import type {Bundle} from './bundle.js';

/**
 * The page that every address of the console answers. `base` leads from that address to the console's own root, relative,
 * so that no prefix and no proxy in front has to be known. The nonce is for the styles that the query editor makes at run
 * time, and of each answer another one; that is why the page is written here and is no file.
 */
export function page(bundle: Bundle, base: string): Reply {
  const nonce = randomBytes(16).toString('base64');
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "connect-src 'self'",
    "img-src 'self'",
    "worker-src 'self'",
    "base-uri 'self'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  const preloads = bundle.preload.map(name => `<link rel="modulepreload" href="assets/${name}">`).join('\n');
  const body = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<base href="${base}">
<title>query-gateway</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="assets/${bundle.icon}" type="image/svg+xml">
<link rel="stylesheet" href="assets/${bundle.style}">
${preloads}
<script type="module" src="assets/${bundle.script}" nonce="${nonce}"></script>
</head>
<body><div id="app"></div><noscript>The console of query-gateway needs JavaScript.</noscript></body>
</html>
`;
  return {
    status: 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': policy.join('; '),
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'cross-origin-opener-policy': 'same-origin',
    },
    body,
  };
}

/**
 * The way from a page to the console's root. `path`: that of the route; `target`: what the client asked for; `last`: the
 * last value of the path, whose own slash it is when it is empty.
 */
export function baseOf(path: string, target: string, last?: string): string {
  const [asked = ''] = target.split('?');
  const isFolder = path !== '/' && last !== '' && asked.endsWith('/');
  return '../'.repeat(path.split('/').length - 2 + (isFolder ? 1 : 0)) || './';
}

/**
 * Where a client is sent that asked for the root without its slash, below which relative addresses would lead elsewhere;
 * undefined where it has the slash.
 */
export function withSlash(target: string): string | undefined {
  const [path = '', ...query] = target.split('?');
  if (path.endsWith('/')) return undefined;
  return `${path.slice(path.lastIndexOf('/') + 1)}/${query.length > 0 ? `?${query.join('?')}` : ''}`;
}
