import { join } from 'node:path'
import type { Config, S3Place } from '../config.ts'
import type { Files } from '../kit/ground/files.ts'
import { folderFiles } from './folder.ts'

/** The file store of this installation: a bucket if one is configured, else the data folder. */
export function filesFrom({ s3, dataDir }: Pick<Config, 's3' | 'dataDir'>): Files {
  return s3 ? bucket(s3) : folderFiles(join(dataDir, 'files'))
}

/** The bucket's library takes a quarter of a second to load, so only when it is needed. */
function bucket(place: S3Place): Files {
  let loaded: Promise<Files> | undefined
  const files = () => (loaded ??= import('./s3.ts').then(({ s3Files }) => s3Files(place)))
  return {
    kind: 's3',
    check: async () => (await files()).check(),
    put: async (key, path, type) => (await files()).put(key, path, type),
    get: async (key, range) => (await files()).get(key, range),
    remove: async (key) => (await files()).remove(key),
    async *list(prefix) {
      yield* (await files()).list(prefix)
    },
  }
}
