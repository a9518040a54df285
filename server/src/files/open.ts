import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { Files } from '../kit/files.ts'
import { folderFiles } from './folder.ts'
import { s3Files } from './s3.ts'

/** Where this installation keeps its files: in a bucket where one is set, else in its data folder. */
export function filesFrom({ s3, dataDir }: Pick<Config, 's3' | 'dataDir'>): Files {
  return s3 ? s3Files(s3) : folderFiles(join(dataDir, 'files'))
}
