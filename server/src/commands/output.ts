import { existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { ConfigError } from '../kit/ground/errors.ts'
import { UsageError } from './command.ts'

/** Refuses a place where no file can be, before anything is read for it. */
export function checkOutput(file: string): void {
  if (existsSync(file) && !statSync(file).isFile()) throw new UsageError(`"${file}" is no file`)
  const folder = dirname(file)
  if (!existsSync(folder)) throw new ConfigError(`There is no folder "${folder}"`)
}

/** A full disk in words that name the file that was written, and not the data folder; other errors as they are. */
export function outputFailure(error: unknown, file: string): unknown {
  const { code = '' } = error as NodeJS.ErrnoException
  if (code !== 'ENOSPC' && code !== 'EDQUOT') return error
  return new ConfigError(`The disk of "${file}" is full`, { cause: error })
}
