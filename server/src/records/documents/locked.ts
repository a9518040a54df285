import { createReadStream } from 'node:fs'
import { typeOf } from '../../files/media-type.ts'
import { computationOf } from '../../kit/ground/computation.ts'
import type { Context } from '../../kit/ground/context.ts'
import { badField } from '../../kit/ground/errors.ts'
import type { Input } from '../../kit/ground/operation.ts'

const opening = computationOf(
  import.meta.resolve('./sealing/is-locked.ts'),
  'isLocked',
  async () => (await import('./sealing/is-locked.ts')).isLocked,
)

/**
 * 400 for a PDF that only a password opens: nobody could show it, place fields on it or seal it. Opened in another
 * process, and only where the file says that it is encrypted.
 */
export async function refuseLocked(ctx: Context, { file }: Pick<Input, 'file'>): Promise<void> {
  if (!file || typeOf(file) !== 'application/pdf' || !(await saysEncrypted(file.path))) return
  const { id } = ctx.organization
  if (!(await ctx.services.computations.run(id, opening, { path: file.path }))) return
  throw badField('file', 'needs a password to be opened: upload a copy without one')
}

/** Whether the word stands in a file, which it always does openly where the file is encrypted. */
async function saysEncrypted(path: string): Promise<boolean> {
  let before = ''
  const read = createReadStream(path, { highWaterMark: 2 ** 20 }) as AsyncIterable<Buffer>
  for await (const bytes of read) {
    if (
      bytes.includes('/Encrypt') ||
      (before + bytes.toString('latin1', 0, 8)).includes('/Encrypt')
    ) {
      return true
    }
    before = bytes.toString('latin1', Math.max(0, bytes.length - 8))
  }
  return false
}
