import {copyFileSync, readFileSync, renameSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import type {CertificateFiles} from '../../support/certificates.js';
import type {StorageHarness} from './storage-harness.js';

/** The files of an option `tls` that are changed while an adapter uses them. */
export class RotatingFiles {
  readonly option: {readonly ca: string; readonly certificate: string; readonly key: string};

  constructor(folder: string) {
    const path = (name: string): string => join(folder, name);
    this.option = {ca: path('used-ca.crt'), certificate: path('used.crt'), key: path('used.key')};
  }

  trust(...authorities: readonly string[]): void {
    writeFileSync(this.option.ca, Buffer.concat(authorities.map(path => readFileSync(path))));
  }

  /** As `mv` does it. */
  use({certificate, key}: CertificateFiles): void {
    const {option} = this;
    copyFileSync(certificate, `${option.certificate}~`);
    copyFileSync(key, `${option.key}~`);
    renameSync(`${option.certificate}~`, option.certificate);
    renameSync(`${option.key}~`, option.key);
  }
}

/** Until the adapter has said so many times that it uses files that have changed. */
export async function taken({infos, warnings}: StorageHarness, times: number): Promise<void> {
  const count = (): number => infos.filter(({message}) => message === 'files that have changed are in use').length;
  while (count() < times) await sleep(20);
  warnings.splice(0);
}
