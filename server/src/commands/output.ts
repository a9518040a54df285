import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { ConfigError } from '../kit/ground/errors.ts'
import { UsageError } from './command.ts'

/** Refuses a path where no file can be written, before anything is read for it. */
export function checkOutput(file: string): void {
  if (existsSync(file) && !statSync(file).isFile()) throw new UsageError(`"${file}" is no file`)
  const folder = dirname(file)
  if (!existsSync(folder)) throw new ConfigError(`There is no folder "${folder}"`)
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
  } catch (error) {
    const isReadOnly = (error as NodeJS.ErrnoException).code === 'EROFS'
    const why = isReadOnly ? 'its disk is read-only' : 'this user has no permission'
    throw new ConfigError(`Nothing can be written to the folder "${folder}": ${why}`)
  }
}

/**
 * A full disk in words that name the file that was written (`-` for standard output), and not the data folder, or a
 * reader that has left; other errors as they are.
 */
export function outputFailure(error: unknown, file: string): unknown {
  const { code = '' } = error as NodeJS.ErrnoException
  const place = file === '-' ? 'Standard output' : `"${file}"`
  if (code === 'EPIPE') {
    return new ConfigError(`${place} was closed before all was written`, { cause: error })
  }
  if (code !== 'ENOSPC' && code !== 'EDQUOT') return error
  return new ConfigError(`${place} cannot be written: its disk is full`, { cause: error })
}
