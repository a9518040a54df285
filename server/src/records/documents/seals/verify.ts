import { createWriteStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { byId } from '../../../kit/crud.ts'
import { computationOf } from '../../../kit/ground/computation.ts'
import type { Context } from '../../../kit/ground/context.ts'
import { badField, notFound } from '../../../kit/ground/errors.ts'
import { withTemporaryFile } from '../../../kit/ground/files.ts'
import { enumeration, orNull } from '../../../kit/ground/json-schema.ts'
import { operation } from '../../../kit/ground/operation.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import { checkReadable } from '../../../kit/read/one.ts'
import type { StoredDocument } from '../../../model/documents/document.ts'
import { Document } from '../../../model/documents/document.ts'
import type { CheckedFile } from './check.ts'

/** The largest file that is checked, in bytes: a sealed one encloses what was signed. */
export const checkLimit = 160 * 2 ** 20

const checking = computationOf(
  import.meta.resolve('./check.ts'),
  'checkFile',
  async () => (await import('./check.ts')).checkFile,
)

const instant = (description: string) => orNull(Type.String({ format: 'date-time', description }))
const state = enumeration(['ours', 'other', 'changed', 'unsigned'], { title: 'SealState' })
const stamp = orNull(
  Type.Object(
    {
      at: Type.String({ format: 'date-time' }),
      authority: Type.String({ description: 'who confirms the time' }),
    },
    { title: 'SealTimestamp', description: 'when a time stamp service saw the signature' },
  ),
)
const who = {
  signer: orNull(Type.String({ description: 'the name in the certificate' })),
  issuer: orNull(Type.String({ description: 'who issued the certificate' })),
  signed_at: instant('when the signer says it signed'),
  timestamp: stamp,
}

const output = Type.Object(
  {
    state,
    is_changed: Type.Boolean({ description: 'it is not, or not all, what was signed' }),
    ...who,
    signatures: Type.Array(
      Type.Object(
        {
          ...who,
          is_unchanged: Type.Boolean({ description: 'what it is about is what was signed' }),
          is_whole: Type.Boolean({ description: 'it is about the whole file' }),
          is_ours: Type.Boolean({ description: 'made by this organization here' }),
        },
        { title: 'CheckedSignature' },
      ),
      { description: 'all signatures of the file, oldest first' },
    ),
  },
  { title: 'CheckedSeal' },
)
type CheckedSeal = Static<typeof output>

const common = {
  can: { module: 'documents', action: 'read' },
  writes: false,
  lane: 'heavy',
  output,
} as const

/** Whether files are what was signed. */
export const verification = {
  document: operation({
    ...common,
    name: 'verify_document_signature',
    summary: 'Verify the signatures in the file of a document',
    description:
      '`ours` is sealed by this organization and unchanged, `other` signed by somebody else and unchanged. 404 without a PDF.',
    input: { params: byId },
    async run(ctx, { params }) {
      await checkReadable(ctx, Document, params.id)
      const row = await ctx.one<StoredDocument>(sql`select t.* from documents t
        where ${mine(ctx)} and t.id = ${params.id} and t.deleted_at is null`)
      const key = row?.storage_key
      if (!key) throw notFound('File')
      return withTemporaryFile(async (path) => {
        await pipeline(await ctx.files.get(key), createWriteStream(path, { mode: 0o600 }))
        const checked = await checkedSeal(ctx, own(ctx), path)
        if (!checked) throw notFound('PDF')
        return checked.seal
      })
    },
  }),
  file: operation({
    ...common,
    name: 'verify_signature_of_file',
    summary: 'Verify the signatures in a PDF',
    description:
      'A multipart form with the PDF in the part `file`, or its bytes in `content`; it is not stored. `ours` is sealed by this organization and unchanged, `other` signed by somebody else and unchanged.',
    input: {
      body: Type.Object({
        content: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 700_000,
            pattern: '^[A-Za-z0-9+/]+={0,2}$',
            description: 'the PDF in base64, in place of a form',
          }),
        ),
      }),
    },
    async run(ctx, { body, file }) {
      if (!file && !body.content) throw badField('file', 'is required, in a multipart form')
      const check = async (path: string) => {
        const checked = await checkedSeal(ctx, own(ctx), path)
        if (!checked) throw badField(file ? 'file' : 'content', 'must be a PDF')
        return checked.seal
      }
      if (file) return check(file.path)
      return withTemporaryFile(async (path) => {
        await writeFile(path, Buffer.from(body.content ?? '', 'base64'), { mode: 0o600 })
        return check(path)
      })
    },
  }),
}

/** Whose certificates are known, by their SHA-256 and with a name, and the queue of whoever asks. */
export type Knowing = {
  namesOf(fingerprints: string[]): Promise<{ fingerprint: string; name: string }[]>
  queue: string
}

function own(ctx: Context): Knowing {
  const { id, name } = ctx.organization
  return {
    queue: id,
    async namesOf(fingerprints) {
      const known = await ctx.all<{ fingerprint: string }>(sql`
        select t.fingerprint from signing_certificates t
        where ${mine(ctx)} and t.fingerprint = any(${fingerprints})`)
      return known.map(({ fingerprint }) => ({ fingerprint, name }))
    },
  }
}

/** What a file is, and the organization here that sealed it; undefined if it is no PDF. Computed in another process. */
export async function checkedSeal(
  { services }: Pick<Context, 'services'>,
  { namesOf, queue }: Knowing,
  path: string,
): Promise<{ seal: CheckedSeal; organization: string | null } | undefined> {
  const checked: CheckedFile = await services.computations.run(queue, checking, { path })
  if (!checked.is_pdf) return undefined
  const prints = checked.signatures.flatMap((each) => each.fingerprint ?? [])
  const known = await namesOf(prints)
  const names = new Map(known.map(({ fingerprint, name }) => [fingerprint, name]))
  const signatures = checked.signatures.map(({ fingerprint, ...each }) => ({
    ...each,
    is_ours: names.has(fingerprint ?? ''),
  }))
  const last = signatures.at(-1)
  const { signer = null, issuer = null, signed_at = null, timestamp = null } = last ?? {}
  const is_changed = signatures.some((each) => !each.is_unchanged) || last?.is_whole === false
  const valid = last?.is_ours ? 'ours' : 'other'
  const state = last ? (is_changed ? 'changed' : valid) : 'unsigned'
  return {
    seal: { state, is_changed, signer, issuer, signed_at, timestamp, signatures },
    organization: names.get(checked.signatures.at(-1)?.fingerprint ?? '') ?? null,
  }
}
