import {readFile} from 'node:fs/promises';
import {GatewayError} from '../../../core/api/plugin.js';

/** What `scripts/build-console.mjs` has made of `web`: files whose names hold the hash of their content. */
export interface Bundle {
  /** Names of files that the page asks for. */
  readonly script: string;
  readonly style: string;
  readonly icon: string;
  /** Modules that the script imports: asked for beside it, not after it. */
  readonly preload: readonly string[];
  readonly files: ReadonlyMap<string, BundledFile>;
}

export interface BundledFile {
  readonly type: string;
  readonly body: Uint8Array;
  readonly gzip: Uint8Array;
}

interface Manifest extends Omit<Bundle, 'files'> {
  /** Name → media type. Beside each lies its compressed form, with the ending `.gz`. */
  readonly files: Readonly<Record<string, string>>;
}

const FOLDER = new URL('../web/', import.meta.url);

export async function readBundle(): Promise<Bundle> {
  try {
    const manifest = JSON.parse(await readFile(new URL('manifest.json', FOLDER), 'utf8')) as Manifest;
    const files = await Promise.all(
      Object.entries(manifest.files).map(async ([name, type]) => {
        const [body, gzip] = await Promise.all(
          [name, `${name}.gz`].map(file => readFile(new URL(`assets/${file}`, FOLDER))),
        );
        if (body === undefined || gzip === undefined) throw new Error(`${name} is not there`);
        return [name, {type, body, gzip}] as const;
      }),
    );
    return {...manifest, files: new Map(files)};
  } catch (error) {
    const message = `the pages of the console cannot be read (npm run build makes them): ${(error as Error).message}`;
    throw new GatewayError('internal', message, {cause: error});
  }
}
