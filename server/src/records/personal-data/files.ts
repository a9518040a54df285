import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { StringDecoder } from 'node:string_decoder'
import { setImmediate as turn } from 'node:timers/promises'
import type { Context } from '../../kit/ground/context.ts'
import { NoSuchFile } from '../../kit/ground/files.ts'
import { storeBytes } from '../../kit/ground/stored-files.ts'
import type { Work } from '../../kit/ground/job.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { agreementsOf } from './agreements.ts'
import type { Pattern } from './pattern.ts'
import type { Person } from './person.ts'
import { personalModules } from './person.ts'
import type { Receipt, Working } from './request.ts'
import { advance, lockRequest } from './request.ts'

/** What the person attached for signatures that are not complete. */
export async function eraseAttached(work: Work, request: Working, { emails }: Person) {
  const addresses = emails.map((email) => email.toLowerCase())
  const gone = await work.write(async (ctx) => {
    const files = await ctx.all<{ storage_key: string }>(sql`delete from signature_files t
      using signature_recipients r, signature_requests q
      where ${mine(ctx)} and ${mine(ctx, 'r')} and ${mine(ctx, 'q')} and r.id = t.recipient_id
        and q.id = r.request_id and q.status <> 'signed' and lower(r.email) = any(${addresses})
      returning t.storage_key`)
    if (files.length) await countFiles(ctx, request, request.place, { removed: files.length })
    return files
  })
  for (const { storage_key } of gone) await work.reads.files.remove(storage_key)
}

/** The receipt's count of files with what others attached for signatures, whose hashes are evidence: not searched. */
export async function attachedByOthers(
  ctx: Context,
  { receipt }: Working,
  { emails }: Person,
): Promise<Pick<Receipt, 'files'>> {
  const addresses = emails.map((email) => email.toLowerCase())
  const others = await ctx.one<{ files: number }>(sql`select count(*)::int as files
    from signature_files t join signature_recipients r on ${mine(ctx, 'r')} and r.id = t.recipient_id
    where ${mine(ctx)} and lower(r.email) <> all(${addresses})`)
  return others?.files ? { files: countedFiles(receipt, { not_searched: others.files }) } : {}
}

type Stored = { table: string; storage_key: string; type: string; is_own: boolean }

const batch = 100
/** How much text is searched at a time, so that other work can run in between. */
const piece = 64 * 1024

/**
 * Erases the person from the files of documents and imports, and from earlier exports. Files attached to the
 * person are removed; other text files are rewritten without the traces, and files of other formats that contain
 * them in plain bytes are removed.
 */
export async function eraseFiles(
  work: Work,
  request: Working,
  person: Person,
  pattern: Pattern,
): Promise<void> {
  await removeUnnamed(work, request)
  for (const table of ['documents', 'imports', 'personal_data_requests']) {
    if (request.place && table < request.place.table) continue
    for (let last = request.place?.table === table ? request.place.after?.[0] : ''; ;) {
      work.signal.throwIfAborted()
      const files = await storedAfter(work.reads, table, last ?? '', person)
      if (!files.length) break
      for (const file of files) await eraseFile(work, request, file, pattern)
      last = files.at(-1)?.storage_key
    }
  }
}

/** Removes files that a process which died after its last transaction had already removed from the rows. */
async function removeUnnamed({ reads }: Work, { place }: Working) {
  const key = place?.after?.[0]
  if (!place || key === undefined) return
  const named = await reads.one(sql`select from ${sql.table(place.table)} t
    where ${mine(reads)} and t.storage_key = ${key} limit 1`)
  if (!named) await reads.files.remove(key)
}

async function storedAfter(
  ctx: Context,
  table: string,
  after: string,
  person: Person,
): Promise<Stored[]> {
  if (table !== 'documents') {
    return ctx.all<Stored>(sql`select ${table}::text as table, t.storage_key, 'text/plain' as type,
        false as is_own from ${sql.table(table)} t
      where ${mine(ctx)} and t.storage_key > ${after} order by t.storage_key limit ${batch}`)
  }
  const agreements = await agreementsOf(ctx, person)
  const ids = [...person.user_ids, ...person.contact_ids]
  // versions may share a file, and one of them may be part of an agreement
  return ctx.all<Stored>(sql`select 'documents' as table, t.storage_key, max(t.file_type) as type,
      bool_or(t.module_id = any(${personalModules()}::int[]) and t.reference_id = any(${ids})) as is_own
    from documents t where ${mine(ctx)} and t.storage_key > ${after}
    group by t.storage_key having not bool_or(t.id = any(${agreements.documents}))
    order by t.storage_key limit ${batch}`)
}

async function eraseFile(work: Work, request: Working, file: Stored, pattern: Pattern) {
  const { reads, write } = work
  const { table, storage_key: key, is_own } = file
  const place = { table, after: [key] }
  if (is_own) {
    await write(async (ctx) => {
      await ctx.run(sql`update documents t set storage_key = null, file_name = null, file_hash = null,
          file_size = null, description = null, editorjs_content = null, editor_html_content = null,
          deleted_at = coalesce(t.deleted_at, ${ctx.now().toISOString()}), version = t.version + 1
        where ${mine(ctx)} and t.storage_key = ${key}`)
      await countFiles(ctx, request, place, { removed: 1 })
    })
    return reads.files.remove(key)
  }
  const bytes = await bytesOf(reads, key)
  if (!bytes) return
  const isText = table !== 'documents' || isPlain(file.type) || isUtf8(bytes)
  const written = await erasedBytes(bytes, isText ? 'utf8' : 'latin1', pattern)
  if (!written) {
    if (!isText) await write((ctx) => countFiles(ctx, request, place, { not_searched: 1 }))
    return
  }
  if (table !== 'documents' || !isText) {
    await write(async (ctx) => {
      await ctx.run(sql`update ${sql.table(table)} t set storage_key = null
        where ${mine(ctx)} and t.storage_key = ${key}`)
      await countFiles(ctx, request, place, { removed: 1 })
    })
    return reads.files.remove(key)
  }
  const { bytes: left, hash } = written
  const other = await storeBytes(reads, left, 'documents', file.type)
  await write(async (ctx) => {
    await ctx.run(sql`update documents t set storage_key = ${other}, file_size = ${left.length},
        file_hash = ${hash}, version = t.version + 1
      where ${mine(ctx)} and t.storage_key = ${key}`)
    await countFiles(ctx, request, place, { rewritten: 1 })
  })
  return reads.files.remove(key)
}

type Numbers = Partial<NonNullable<Receipt['files']>>

async function countFiles(ctx: Context, request: Working, place: Working['place'], more: Numbers) {
  Object.assign(request, await lockRequest(ctx, request.id))
  const files = countedFiles(request.receipt, more)
  await advance(ctx, request, { place, receipt: { ...request.receipt, files } })
}

function countedFiles({ files }: Receipt, more: Numbers): NonNullable<Receipt['files']> {
  const { removed = 0, rewritten = 0, not_searched = 0 } = files ?? {}
  return {
    removed: removed + (more.removed ?? 0),
    rewritten: rewritten + (more.rewritten ?? 0),
    not_searched: not_searched + (more.not_searched ?? 0),
  }
}

/**
 * A file without the traces, and its SHA-256 in hex; undefined if it has none. Done in pieces: 100 MiB of text at
 * once would block other requests for half a second.
 */
async function erasedBytes(bytes: Buffer, encoding: BufferEncoding, pattern: Pattern) {
  const decoder = new StringDecoder(encoding)
  const hash = createHash('sha256')
  const pieces: Buffer[] = []
  let isSame = true
  let text = ''
  for (let from = 0; from < bytes.length || text;) {
    const to = Math.min(bytes.length, from + piece)
    text +=
      to < bytes.length
        ? decoder.write(bytes.subarray(from, to))
        : decoder.end(bytes.subarray(from))
    from = to
    const line = text.lastIndexOf('\n')
    const end = from === bytes.length || (line < 0 && text.length > 4 * piece) ? text.length : line
    if (end < 0) continue
    const whole = text.slice(0, end)
    text = text.slice(end)
    const left = await erasedText(whole, pattern)
    if (left !== whole) isSame = false
    const encoded = Buffer.from(left)
    pieces.push(encoded)
    hash.update(encoded)
    await turn()
  }
  return isSame ? undefined : { bytes: Buffer.concat(pieces), hash: hash.digest('hex') }
}

/** A text without the traces, in pieces that end with a line. */
export async function erasedText(text: string, pattern: Pattern): Promise<string> {
  const pieces: string[] = []
  for (let from = 0; from < text.length;) {
    const line = text.indexOf('\n', Math.min(text.length, from + piece))
    const to = line < 0 || line > from + 4 * piece ? Math.min(text.length, from + 4 * piece) : line
    pieces.push(await pattern.erase(text.slice(from, to)))
    from = to
    await turn()
  }
  return pieces.join('')
}

async function bytesOf({ files }: Context, key: string): Promise<Buffer | undefined> {
  try {
    return await buffer(await files.get(key))
  } catch (error) {
    if (error instanceof NoSuchFile) return undefined
    throw error
  }
}

function isPlain(type: string): boolean {
  return /^text\/|json|xml$|csv/.test(type) && !/officedocument/.test(type)
}

function isUtf8(bytes: Buffer): boolean {
  if (bytes.subarray(0, 5).toString('latin1') === '%PDF-' || bytes.includes(0)) return false
  try {
    new TextDecoder('utf8', { fatal: true }).decode(bytes.subarray(0, piece))
    return true
  } catch {
    return false
  }
}
