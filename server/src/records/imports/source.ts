import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import type { Context } from '../../kit/ground/context.ts'
import { Failure, badField, badRequest } from '../../kit/ground/errors.ts'
import { FairQueue } from '../../kit/ground/fair-queue.ts'
import type { Upload } from '../../kit/ground/files.ts'
import type { Work } from '../../kit/ground/job.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import type { Line } from './csv.ts'
import { readCsv } from './csv.ts'
import type { ImportRow, Options } from './import.ts'
import { batchSize } from './import.ts'
import { columnNames } from './mapping.ts'
import { tidy } from './memory.ts'
import { previewRows } from './plan.ts'

const mostColumns = 500
const longestName = 255
/** Characters in a batch, whatever its rows hold. */
const mostCharacters = 4 * 1024 * 1024
/** Milliseconds of reading after which others have their turn. */
const slice = 5

/** What is known of a file that has been read through. */
export type Outline = { columns: string[]; first: Line[]; total: number; size: number }

/** Reading takes the processor of everybody: two files at once, and one of an organization. */
const reading = new FairQueue(
  { atOnce: 2, each: 1, waiting: 20, patience: 60_000 },
  (ours) =>
    new Failure(
      503,
      ours ? 'organization_busy' : 'overloaded',
      ours
        ? 'Your organization has too many imports being read: upload them one after the other'
        : 'The service reads too many imports at once, try again',
      { retryAfter: 10 },
    ),
)

type Source = { csv?: string | undefined; file?: Upload | undefined }

/**
 * Reads a file to its end, ahead of any transaction: 400 for what is no CSV, has no rows, or has too
 * many columns. Nothing is stored of it but its first rows.
 */
export async function outlineOf(ctx: Context, source: Source, options: Options): Promise<Outline> {
  const { size, open } = opened(source)
  return reading.run(ctx.organization.id, async () => {
    let columns: string[] | undefined
    const first: Line[] = []
    let total = 0
    for await (const row of linesOf(open(), options)) {
      if (!columns) columns = namesOf(row)
      else if (++total <= previewRows) first.push(row)
    }
    if (!columns) throw badRequest('file: is empty', [{ field: 'file', message: 'is empty' }])
    if (!total) throw badField('file', 'has no rows below its header')
    return { columns, first, total, size }
  })
}

/**
 * Stores the rows of an import's file in batches, as they will be imported, in a transaction each; once
 * that is done, nothing happens. A process that dies in between leaves the rest to the next one.
 */
export async function storeRows(work: Work, { id, options }: ImportRow): Promise<void> {
  const { reads } = work
  const found = await reads.one<{ csv: string | null; storage_key: string | null }>(sql`
    select csv, storage_key from imports t where ${mine(reads)} and t.id = ${id}`)
  const { csv, storage_key } = found ?? { csv: null, storage_key: null }
  if (csv === null && storage_key === null) return
  const bytes =
    storage_key === null
      ? Readable.from([Buffer.from(csv ?? '')])
      : await fileOf(work, id, storage_key)
  if (!bytes) return
  let number = 0
  for await (const batch of batchesOf(bytes, options)) {
    work.signal.throwIfAborted()
    const rows = JSON.stringify(batch.map(({ line, cells }) => [line, cells]))
    const at = number++
    await work.write((ctx) =>
      ctx.run(sql`insert into import_batches (organization_id, import_id, number, rows, creation_time)
        values (${ctx.organization.id}, ${id}, ${at}, ${rows}, ${ctx.now().toISOString()})
        on conflict do nothing`),
    )
    tidy()
  }
  await work.write((ctx) =>
    ctx.run(sql`update imports t set storage_key = null, csv = null
      where ${mine(ctx)} and t.id = ${id}`),
  )
  // what stays after a crash in between is removed with the orphans
  if (storage_key) await reads.files.remove(storage_key)
}

/** The stored file; none where another process has stored its rows meanwhile and removed it. */
async function fileOf({ reads }: Work, id: string, key: string): Promise<Readable | undefined> {
  try {
    return await reads.files.get(key)
  } catch (error) {
    const still = await reads.one(sql`select from imports t
      where ${mine(reads)} and t.id = ${id} and t.storage_key = ${key}`)
    if (still) throw error
    return undefined
  }
}

/** The bytes of an upload: a form's file, or the text of a JSON body. */
function opened({ csv, file }: Source) {
  if (file) return { size: file.size, open: () => createReadStream(file.path) }
  if (csv === undefined) throw badField('csv', 'is required, or a file')
  return { size: Buffer.byteLength(csv), open: () => Readable.from([Buffer.from(csv)]) }
}

async function* batchesOf(bytes: Readable, options: Options) {
  let isHeader = true
  let batch: Line[] = []
  let size = 0
  for await (const row of linesOf(bytes, options)) {
    if (isHeader) {
      isHeader = false
      continue
    }
    batch.push(row)
    for (const cell of row.cells) size += cell.length
    if (batch.length < batchSize && size <= mostCharacters) continue
    yield batch
    batch = []
    size = 0
  }
  if (batch.length) yield batch
}

/** The header and the rows that hold something; others have their turn in between. */
async function* linesOf(bytes: Readable, { encoding, delimiter }: Options) {
  let isHeader = true
  let since = performance.now()
  for await (const row of readCsv(bytes, { encoding, delimiter: delimiter ?? undefined })) {
    if (isHeader || row.cells.some((cell) => cell.trim())) yield row
    isHeader = false
    if (performance.now() - since < slice) continue
    await turn()
    since = performance.now()
  }
}

function namesOf({ cells }: Line): string[] {
  if (cells.length > mostColumns) {
    throw badField('file', `has ${cells.length} columns; at most ${mostColumns} are taken`)
  }
  if (cells.some((cell) => cell.length > longestName)) {
    throw badField('file', `has a column whose name is longer than ${longestName} characters`)
  }
  return columnNames(cells)
}
