import {readFiles} from '../toolkit/files/file-set.js';
import {serverTlsMistakes} from '../toolkit/tls/server-tls.js';
import {type AccessConfig, accessFile, checkAccessEntries} from './access.js';
import type {Problems} from './config-error.js';
import type {ListenerConfig} from './gateway-config.js';
import {keyPath} from './key-path.js';

/** What is wrong with the block `access`, the content of its file included. */
export function checkAccess(access: AccessConfig | undefined, problems: Problems): void {
  if (access === undefined || problems.hasWithin('access')) return;
  checkAccessEntries(access, problems);
  const {file} = access;
  if (file === undefined) return;
  for (const {key, message} of readFiles(accessFile({...access, file})).mistakes ?? []) problems.add(key, message);
}

/** What is wrong with the TLS files of listeners. */
export function checkTlsFiles(listeners: readonly ListenerConfig[], problems: Problems): void {
  for (const {name, tls} of listeners) {
    if (tls === undefined || problems.hasWithin(tlsPath(name))) continue;
    for (const {key, message} of serverTlsMistakes(tls, tlsPath(name))) problems.add(key, message);
  }
}

/** The key of a listener's TLS. */
export const tlsPath = (listener: string): string => keyPath(keyPath('listeners', listener), 'tls');
