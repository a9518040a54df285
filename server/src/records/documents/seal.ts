import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { Context } from '../../kit/ground/context.ts'
import type { Job } from '../../kit/ground/job.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { update } from '../../kit/write/write.ts'
import { Document } from './document.ts'
import { fileColumns, newKey } from './file.ts'
import type { Body } from './input.ts'
import { completion } from './letters.ts'
import { sealedApart } from './seal-apart.ts'
import type { Sealing } from './sealing.ts'
import { sealing } from './sealing.ts'
import { auditOf } from './signature-operations.ts'
import { recipientsOf, requestById } from './signatures.ts'
import { announceDocument } from './announce.ts'
import { newVersion } from './update.ts'

/**
 * Makes the signed version of a document, once, and mails everybody who was asked where to find it.
 */
export const sealDocument: Job<Sealing> = {
  ...sealing,
  retries: 10,
  async run({ reads, write }, { document_id }) {
    const document = await unsealed(reads, document_id)
    if (!document) return
    const request = (await requestById(reads, document.signature_request))!
    const recipients = await recipientsOf(reads, request.id)
    const key = document.storage_key
    const bytes = await sealedApart({
      document,
      request,
      recipients,
      entries: await auditOf(reads, document_id),
      organization: reads.organization.name,
      original: key ? await buffer(await reads.files.get(key)) : undefined,
    })
    const kept = await keep(reads, bytes)
    const isMade = await write(async (ctx) => {
      const row = await unsealed(ctx, document_id, true)
      if (!row) return false
      const id = await newVersion(ctx, document_id, 'signature', row.latest_version)
      const named = row.file_name ?? row.document_name
      const file = {
        ...kept,
        name: `${named.replace(/\.[^.]{1,8}$/, '').slice(0, 240)} (signed).pdf`,
        type: 'application/pdf',
        size: bytes.length,
        hash: createHash('sha256').update(bytes).digest('hex'),
        head: Buffer.from(bytes.subarray(0, 16)),
        path: '',
      }
      const { signature_status, signatures_required, signatures_completed } = row
      const after = await update(
        ctx,
        Document,
        id,
        {},
        {
          set: {
            ...fileColumns(ctx, file),
            is_signed_version: true,
            signature_status,
            signatures_required,
            signatures_completed,
            signature_request: request.id,
            signed_at: row.signed_at,
          },
        },
      )
      await announceDocument(ctx, after, 'sealed', {
        name: row.document_name,
        project_id: row.project_id,
        more: { content_hash: request.content_hash, file_hash: file.hash },
      })
      for (const person of recipients) await completion(ctx, person, row.document_name)
      return true
    })
    if (!isMade) await reads.files.remove(kept.kept)
  },
}

/** The row of a document that is signed by all and has no signed version yet. */
async function unsealed(ctx: Context, id: string, locks = false): Promise<Body | undefined> {
  return ctx.one<Body>(sql`select t.* from documents t
    where ${mine(ctx)} and t.id = ${id} and t.deleted_at is null and t.signature_status = 'signed'
      and not exists (select from documents s where s.organization_id = t.organization_id
        and s.chain_id = t.chain_id and s.parent_attach_id = t.id and s.is_signed_version)
    ${locks ? sql`for update of t` : sql``}`)
}

/** Puts bytes into the store under a new key. */
async function keep(ctx: Context, bytes: Uint8Array): Promise<{ kept: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'perennial-seal-'))
  try {
    const path = join(folder, 'signed.pdf')
    await writeFile(path, bytes, { mode: 0o600 })
    const kept = newKey(ctx)
    await ctx.files.put(kept, path, 'application/pdf')
    return { kept }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
