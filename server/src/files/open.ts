import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { Files } from '../kit/files.ts'
import { folderFiles } from './folder.ts'

/** Where this installation keeps its files. */
export function filesFrom(config: Config): Files {
  return folderFiles(join(config.dataDir, 'files'))
}
