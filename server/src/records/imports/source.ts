import { createReadStream } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { Context } from '../../kit/ground/context.ts'
import { computationOf } from '../../kit/ground/computation.ts'
import { Failure, badField, badRequest } from '../../kit/ground/errors.ts'
import { FairQueue } from '../../kit/ground/fair-queue.ts'
import type { Upload } from '../../kit/ground/files.ts'
import { withTemporaryFile } from '../../kit/ground/files.ts'
import type { Work } from '../../kit/ground/job.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { storedRows } from './batches.ts'
import type { ImportModule, ImportRow, Options } from '../../model/imports/import.ts'
import type { Reading } from '../../model/sheets/rows.ts'
import { batchSize } from '../../model/imports/import.ts'
import { checkKind, kindOf } from './file-kind.ts'
import { importables } from './importables.ts'
import { columnNames } from './mapping.ts'
import { collectIfGrown } from './memory.ts'
import { previewRows } from './plan.ts'
import type { Line } from '../../model/sheets/cell.ts'
import { isEmpty, mostColumns, textOf } from '../../model/sheets/cell.ts'
import type { Profile } from '../../model/sheets/column.ts'
import { emptyProfile, observe } from '../../model/sheets/column.ts'
import { encodingOf } from '../../model/sheets/encoding.ts'
import { longestName } from '../../model/sheets/header.ts'
import { repeatsHeader, rowsBelow, rowsOf, withoutTitles } from '../../model/sheets/rows.ts'

/** The maximum number of characters in a batch. */
const mostCharacters = 4 * 1024 * 1024
/** The maximum number of characters of the first rows, which are stored for a preview. */
const mostFirst = 1024 * 1024

const readingXlsx = computationOf(
  import.meta.resolve('../../model/sheets/xlsx.ts'),
  'readXlsx',
  async () => (await import('../../model/sheets/xlsx.ts')).readXlsx,
)
const readingCards = computationOf(
  import.meta.resolve('../../model/sheets/vcard.ts'),
  'readCards',
  async () => (await import('../../model/sheets/vcard.ts')).readCards,
)
const readingEvents = computationOf(
  import.meta.resolve('../../model/sheets/icalendar.ts'),
  'readEvents',
  async () => (await import('../../model/sheets/icalendar.ts')).readEvents,
)

/** What is known about a file after reading it. */
export type Outline = {
  columns: string[]
  first: Line[]
  total: number
  size: number
  reading: Reading
  profiles: Profile[]
  warnings: string[]
  /** the rows of a text that is no table */
  csv?: string
}

/** Reading uses everybody's processor: two files at once, and one per organization. */
const queue = new FairQueue(
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

type Source = { module: ImportModule; csv?: string | undefined; file?: Upload | undefined }
type Hints = Pick<Options, 'delimiter' | 'sheet'> & { encoding?: string | undefined }

/**
 * Reads a whole file, before any transaction: 400 for what is no spreadsheet, has no rows, or has
 * too many columns. Only its first rows are stored. `knows` says how many headers of a row
 * are known: a title above the header is no header.
 */
export async function outlineOf(
  ctx: Context,
  source: Source,
  hints: Hints,
  knows: (cells: string[]) => number,
): Promise<Outline> {
  return queue.run(ctx.organization.id, async () => {
    return outline(await opened(ctx, source, hints), knows)
  })
}

/** The same of another sheet of the workbook of an import that waits; `NoSuchSheet` if its rows are not stored. */
export async function outlineOfSheet(
  ctx: Context,
  { key, size, reading }: { key: string; size: number; reading: Reading },
  knows: (cells: string[]) => number,
): Promise<Outline> {
  return queue.run(ctx.organization.id, async () => {
    const bytes = await ctx.files.get(key)
    const opened = { size, open: () => bytes, reading: { ...reading }, warnings: [] }
    return outline(opened, knows, true)
  })
}

async function outline(
  { size, open, reading, warnings, csv }: Opened,
  knows: (cells: string[]) => number,
  isNamed?: boolean,
): Promise<Outline> {
  let names: string[] | undefined
  const first: Line[] = []
  let profiles: Profile[] = []
  let total = 0
  let left = mostFirst
  for await (const row of withoutTitles(rowsBelow(open(), reading, knows, isNamed))) {
    if (!names) {
      names = namesOf(row)
      reading.header_line = row.line
      profiles = names.map(emptyProfile)
      continue
    }
    total++
    if (!repeatsHeader(names, row.cells)) {
      for (const [at, profile] of profiles.entries()) observe(profile, row.cells[at])
    }
    left -= row.cells.reduce((sum: number, cell) => sum + textOf(cell).length + 3, 0)
    if (first.length < previewRows && (left > 0 || !first.length)) first.push(row)
  }
  if (!names) throw badRequest('file: is empty', [{ field: 'file', message: 'is empty' }])
  if (!total) throw badField('file', `has no rows below its header${otherSheets(reading)}`)
  const width = usedColumns(names, profiles)
  const columns = columnNames(names.slice(0, width))
  profiles = profiles.slice(0, width)
  return {
    columns,
    first,
    total,
    size,
    reading,
    profiles,
    warnings,
    ...(csv === undefined ? {} : { csv }),
  }
}

/**
 * Stores the rows of an import's file in the batches in which they will be imported, each in a transaction. If
 * that is already done, nothing happens. If a process dies in between, the next one does the rest.
 */
export async function storeRows(work: Work, found: ImportRow): Promise<void> {
  const { reads } = work
  const { id, options, reading, module } = found
  const upload = await reads.one<{ csv: string | null; storage_key: string | null }>(sql`
    select csv, storage_key from imports t where ${mine(reads)} and t.id = ${id}`)
  const { csv, storage_key } = upload ?? { csv: null, storage_key: null }
  if (csv === null && storage_key === null) return
  const bytes =
    storage_key === null
      ? Readable.from([Buffer.from(csv ?? '')])
      : await fileOf(work, id, storage_key)
  if (!bytes) return
  // uploads by earlier versions have it in their options
  const { delimiter, encoding } = options
  const how = { delimiter, encoding, header_line: 0, ...reading }
  let number = 0
  for await (const batch of batchesOf(bytes, how, sizeOf(module))) {
    work.signal.throwIfAborted()
    const rows = storedRows(batch)
    const at = number++
    await work.write((ctx) =>
      ctx.run(sql`insert into import_batches (organization_id, import_id, number, rows, creation_time)
        values (${ctx.organization.id}, ${id}, ${at}, ${rows}, ${ctx.now().toISOString()})
        on conflict do nothing`),
    )
    collectIfGrown()
  }
  await work.write((ctx) =>
    ctx.run(sql`update imports t set storage_key = null, csv = null
      where ${mine(ctx)} and t.id = ${id}`),
  )
  // what a crash in between leaves behind is removed with other orphaned files
  if (storage_key) await reads.files.remove(storage_key)
}

/** Removes the file of an import that will never be started. */
export async function dropFile(ctx: Context, id: string): Promise<void> {
  const found = await ctx.one<{ storage_key: string | null }>(sql`
    select storage_key from imports t where ${mine(ctx)} and t.id = ${id}`)
  await ctx.run(sql`update imports t set storage_key = null, csv = null
    where ${mine(ctx)} and t.id = ${id}`)
  const key = found?.storage_key
  // what cannot be removed now is removed with other orphaned files
  if (key) ctx.afterCommit(() => void ctx.files.remove(key).catch(() => {}))
}

/** The number of rows in a transaction: fewer for records that are written one by one, so that it is as short. */
function sizeOf(module: ImportRow['module']): number {
  return importables[module].how === 'bulk' ? batchSize : batchSize / 10
}

/** The stored file; none if another process has stored its rows meanwhile and removed it. */
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

type Opened = { size: number; open(): Readable; reading: Reading; warnings: string[]; csv?: string }

/** The rows of an upload: a form's file, or the text of a JSON body, and how they are read. */
async function opened(ctx: Context, source: Source, hints: Hints): Promise<Opened> {
  const { csv, file, module } = source
  const { delimiter, sheet, encoding } = hints
  if (!file) {
    if (csv === undefined) throw badField('csv', 'is required, or a file')
    const bytes = Buffer.from(csv)
    const type = kindOf('csv', bytes.subarray(0, 4096))
    checkKind(type, module)
    if (type !== 'csv') return rowsOfText(ctx, type, bytes)
    const reading: Reading = { type, encoding: encoding ?? 'utf-8', delimiter }
    return { size: bytes.length, open: () => Readable.from([bytes]), reading, warnings: [] }
  }
  const { path, size, head, name } = file
  const type = kindOf('file', head, name)
  checkKind(type, module)
  const warnings: string[] = []
  if (type === 'csv') {
    const found = encoding ?? (await encodingOf(createReadStream(path)))
    if (!encoding && found !== 'utf-8') warnings.push(`The file was read as ${found}`)
    const reading: Reading = { type, encoding: found, delimiter }
    return { size, open: () => createReadStream(path), reading, warnings }
  }
  const rows = `${path}.rows`
  try {
    const { reading, ...converted } = await convert(ctx, type, { path, to: rows, sheet, encoding })
    file.path = rows
    await rm(path, { force: true })
    return { size, open: () => createReadStream(rows), reading, warnings: converted.warnings }
  } catch (error) {
    await rm(rows, { force: true })
    throw error
  }
}

/** The rows of people or meetings that came as the text of a JSON body. */
function rowsOfText(ctx: Context, type: Converted, bytes: Buffer): Promise<Opened> {
  return withTemporaryFile(async (path) => {
    await writeFile(path, bytes, { mode: 0o600 })
    const to = `${path}.rows`
    const how = { path, to, sheet: null, encoding: 'utf-8' }
    const { reading, warnings } = await convert(ctx, type, how)
    const csv = await readFile(to, 'utf8')
    const open = () => Readable.from([Buffer.from(csv)])
    return { size: bytes.length, open, reading, warnings, csv }
  })
}

type Converted = Exclude<NonNullable<Reading['type']>, 'csv'>
type How = { path: string; to: string; sheet: string | null; encoding: string | undefined }

/** Writes the rows of a workbook, of people or of meetings as an import reads them; in another process. */
async function convert(
  ctx: Context,
  type: Converted,
  { path, to, sheet, encoding }: How,
): Promise<{ reading: Reading; warnings: string[] }> {
  const { computations } = ctx.services
  const { id, timezone: zone } = ctx.organization
  if (type === 'xlsx') {
    const read = await computations.run(id, readingXlsx, { path, to, sheet })
    const others = read.sheets.filter((name) => name !== read.sheet)
    const names = others.slice(0, 50).join(', ')
    const warnings =
      others.length && sheet === null
        ? [`Only the sheet ${read.sheet} is read; others are ${names}`]
        : []
    return { reading: { type, encoding: null, delimiter: null, ...read }, warnings }
  }
  const how = { path, to, encoding: encoding ?? (await encodingOf(createReadStream(path))) }
  const { warnings } =
    type === 'vcard'
      ? await computations.run(id, readingCards, how)
      : await computations.run(id, readingEvents, { ...how, zone })
  return { reading: { type, encoding: how.encoding, delimiter: null }, warnings }
}

function otherSheets({ sheet, sheets = [] }: Reading): string {
  const others = sheets.filter((name) => name !== sheet)
  return others.length ? `; other sheets are ${others.slice(0, 20).join(', ')}` : ''
}

async function* batchesOf(bytes: Readable, reading: Reading, most: number) {
  let isHeader = true
  let batch: Line[] = []
  let size = 0
  for await (const row of withoutTitles(rowsFrom(bytes, reading))) {
    if (isHeader) {
      isHeader = false
      continue
    }
    batch.push(row)
    for (const cell of row.cells) size += typeof cell === 'string' ? cell.length : 8
    if (batch.length < most && size <= mostCharacters) continue
    yield batch
    batch = []
    size = 0
  }
  if (batch.length) yield batch
}

async function* rowsFrom(bytes: Readable, reading: Reading) {
  for await (const row of rowsOf(bytes, reading)) {
    if (row.line >= (reading.header_line ?? 0)) yield row
  }
}

function namesOf({ cells }: Line): string[] {
  const last = cells.findLastIndex((cell) => !isEmpty(cell))
  if (last >= mostColumns) {
    throw badField('file', `has ${last + 1} columns; at most ${mostColumns} are taken`)
  }
  const names = cells.slice(0, mostColumns).map((cell) => (isEmpty(cell) ? '' : textOf(cell)))
  if (names.some((name) => name.length > longestName)) {
    throw badField('file', `has a column whose name is longer than ${longestName} characters`)
  }
  return names
}

/** The number of columns without the empty ones at the end, which spreadsheets export. */
function usedColumns(names: string[], profiles: Profile[]): number {
  const isUsed = (name: string, at: number) => name !== '' || (profiles[at]?.filled ?? 0) > 0
  return names.findLastIndex(isUsed) + 1
}
