import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from '../../kit/ground/context.ts'
import type { Work } from '../../kit/ground/job.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { sendingAccountMail, sendingMail } from '../mail/mail.ts'
import { erasedText } from './files.ts'
import type { Pattern } from './pattern.ts'
import { erasedJson } from './pattern.ts'
import type { Working } from './request.ts'
import { advance, lockRequest } from './request.ts'

/** A job with its id, by which its mail is identified. */
type Waiting = { id: string; job_id: string; name: string; data: unknown }

/** Where jobs wait: the outbox, and the job library's table, where the data is inside its own. */
const queuesOf = (schema: string) => [
  {
    rows: (ctx: Context) => sql`select t.id, t.id as job_id, t.name, t.data from asked_jobs t
      where ${mine(ctx)}`,
    remove: (ctx: Context, id: string) =>
      sql`delete from asked_jobs t where ${mine(ctx)} and t.id = ${id}`,
    change: (ctx: Context, id: string, data: string) =>
      sql`update asked_jobs t set data = ${data}::json where ${mine(ctx)} and t.id = ${id}`,
  },
  {
    rows: (ctx: Context) => sql`select j.id::text as id, j.data ->> 'id' as job_id, j.name,
        j.data -> 'data' as data
      from ${sql.table(`${schema}.job`)} j where j.data ->> 'organization_id' = ${ctx.organization.id}`,
    remove: (ctx: Context, id: string) => sql`delete from ${sql.table(`${schema}.job`)} j
      where j.data ->> 'organization_id' = ${ctx.organization.id} and j.id = ${id}::uuid`,
    change: (ctx: Context, id: string, data: string) => sql`update ${sql.table(`${schema}.job`)} j
      set data = jsonb_set(j.data, '{data}', ${data}::jsonb), output = null
      where j.data ->> 'organization_id' = ${ctx.organization.id} and j.id = ${id}::uuid`,
  },
]

/** Waiting and finished jobs: mails to or about the person are removed, others rewritten without the traces. */
export async function eraseJobs(
  { write }: Work,
  request: Working,
  pattern: Pattern,
  schema: string,
) {
  for (const { rows, remove, change } of queuesOf(schema)) {
    await write(async (ctx) => {
      Object.assign(request, await lockRequest(ctx, request.id))
      let mails = 0
      for (const { id, job_id, name, data } of await ctx.all<Waiting>(rows(ctx))) {
        if (name === sendingMail.name || name === sendingAccountMail.name) {
          if (!(await pattern.isIn(opened(ctx, data)))) continue
          mails += await ctx.run(remove(ctx, id))
          await withdraw(ctx, job_id)
          continue
        }
        const left = await erasedJson(data, pattern)
        if (left !== data) await ctx.run(change(ctx, id, JSON.stringify(left)))
      }
      await advance(ctx, request, { receipt: withMails(request, mails) })
    })
  }
}

/** Marks a mail that a process may already be sending: it is not sent, or removed from the outbox at once. */
function withdraw(ctx: Context, id: string) {
  return ctx.run(sql`insert into sent_mails as t (organization_id, id, is_done, is_withdrawn, sent_at)
    values (${ctx.organization.id}, ${id}, true, true, ${ctx.now().toISOString()})
    on conflict (organization_id, id) do update set is_done = true, is_withdrawn = true
      where not t.is_done`)
}

/** Stored answers for idempotency keys are encrypted: those that contain the person are removed. */
export async function eraseAnswersToRepeat({ write }: Work, request: Working, pattern: Pattern) {
  await write(async (ctx) => {
    for (let last = ['', '', '']; ;) {
      const rows = await ctx.all<{
        caller: string
        path: string
        key: string
        body: Buffer | null
      }>(
        sql`select t.caller, t.path, t.key, t.body from idempotency_keys t
          where ${mine(ctx)} and (t.caller, t.path, t.key) > (${sql.join(last)})
          order by t.caller, t.path, t.key limit 500`,
      )
      for (const { caller, path, key, body } of rows) {
        const text = `${path} ${key} ${body ? ctx.secrets.decrypt(body) : ''}`
        if (!(await pattern.isIn(text))) continue
        await ctx.run(sql`delete from idempotency_keys t where ${mine(ctx)}
          and t.caller = ${caller} and t.path = ${path} and t.key = ${key}`)
      }
      const end = rows.at(-1)
      if (!end) break
      last = [end.caller, end.path, end.key]
    }
    await advance(ctx, request, {})
  })
}

/**
 * Mails in the folder that stands in for a mail server: those to or about the person are removed. A
 * mail of another organization is not touched.
 */
export async function eraseOutbox(
  { reads, write }: Work,
  request: Working,
  pattern: Pattern,
  folder: string,
) {
  let removed = 0
  for (const name of await readdir(folder).catch(() => [] as string[])) {
    const [, id] = /^(\w{1,25})\.eml(\.part)?$/.exec(name) ?? []
    if (!id) continue
    const ours = await reads.one(
      sql`select from sent_mails t where ${mine(reads)} and t.id = ${id}`,
    )
    if (!ours) continue
    const path = join(folder, name)
    const raw = await readFile(path, 'latin1').catch(() => '')
    const text = readable(raw)
    if ((await erasedText(text, pattern)) === text) continue
    await rm(path, { force: true })
    removed++
  }
  await write(async (ctx) => {
    Object.assign(request, await lockRequest(ctx, request.id))
    await advance(ctx, request, { receipt: withMails(request, removed) })
  })
}

function withMails({ receipt }: Working, more: number) {
  return { ...receipt, mails: (receipt.mails ?? 0) + more }
}

function opened(ctx: Context, data: unknown): string {
  const { sealed } = (data ?? {}) as { sealed?: string }
  return sealed ? ctx.secrets.decrypt(Buffer.from(sealed, 'base64')) : JSON.stringify(data ?? null)
}

/**
 * The text of a mail with its transfer encodings decoded (RFC 2045, 6; RFC 2047) and folded lines
 * joined: those of headers at a space (RFC 5322, 2.2.3), those of calendars anywhere.
 */
export function readable(raw: string): string {
  const bytes = (text: string) => Buffer.from(text, 'latin1').toString('utf8')
  const decoded = (text: string) => Buffer.from(text, 'base64').toString('utf8')
  const quoted = (text: string) =>
    bytes(
      text
        .replaceAll(/=\r?\n/g, '')
        .replaceAll(/=([0-9A-Fa-f]{2})/g, (_, hex: string) =>
          String.fromCharCode(parseInt(hex, 16)),
        ),
    )
  const words = [...raw.matchAll(/=\?[\w-]+\?([bq])\?([^?]*)\?=/gi)].map(([, how, text = '']) =>
    how?.toLowerCase() === 'b' ? decoded(text) : quoted(text.replaceAll('_', ' ')),
  )
  const parts = raw.split(/^content-transfer-encoding:[ \t]*base64/im).slice(1)
  const bodies = parts.map((part) => /\r?\n\r?\n([A-Za-z0-9+/=\r\n]+)/.exec(part)?.[1] ?? '')
  return [bytes(raw), quoted(raw), words.join(''), ...bodies.map(decoded)]
    .flatMap((text) => [
      text.replaceAll('\r\n', '\n'),
      text.replaceAll(/\r?\n[ \t]+/g, ' '),
      text.replaceAll(/\r?\n[ \t]/g, ''),
    ])
    .join('\n')
}
