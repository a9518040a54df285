import { existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { ConfigError } from '../kit/ground/errors.ts'
import { UsageError } from './command.ts'

/** Refuses a path where no file can be written, before anything is read for it. */
export function checkOutput(file: string): void {
  if (existsSync(file) && !statSync(file).isFile()) throw new UsageError(`"${file}" is no file`)
  const folder = dirname(file)
  if (!existsSync(folder)) throw new ConfigError(`There is no folder "${folder}"`)
}

/** For a full disk, an error that names the written file instead of the data folder; other errors unchanged. */
export function outputFailure(error: unknown, file: string): unknown {
  const { code = '' } = error as NodeJS.ErrnoException
  if (code !== 'ENOSPC' && code !== 'EDQUOT') return error
  return new ConfigError(`The disk of "${file}" is full`, { cause: error })
}
