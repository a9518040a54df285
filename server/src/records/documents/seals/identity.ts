import { X509Certificate } from 'node:crypto'
import type { Context } from '../../../kit/ground/context.ts'
import { newId } from '../../../kit/ground/ids.ts'
import type { Work } from '../../../kit/ground/job.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import { fingerprint, inPem } from './fingerprint.ts'
import type { Identity } from './made-certificate.ts'

type Stored = { certificates: string; private_key: Buffer; is_made_here: boolean }

/** The organization's current certificate and key; undefined before the first seal. */
export async function storedIdentity(
  ctx: Context,
): Promise<(Identity & { is_made_here: boolean }) | undefined> {
  const found = await ctx.one<Stored>(sql`select t.certificates, t.private_key, t.is_made_here
    from signing_certificates t where ${mine(ctx)} and t.private_key is not null`)
  return (
    found && {
      certificates: inPem(found.certificates).map(({ raw }) => raw),
      privateKey: ctx.secrets.decrypt(found.private_key),
      is_made_here: found.is_made_here,
    }
  )
}

/** The same, made at the first seal. */
export async function identityFor({
  reads,
  write,
}: Pick<Work, 'reads' | 'write'>): Promise<Identity> {
  const known = await storedIdentity(reads)
  if (known) return known
  // loaded with the first certificate that is made
  const { madeIdentity } = await import('./made-certificate.ts')
  const made = await madeIdentity(reads.organization.name, reads.now())
  return write(async (ctx) => {
    // another seal may have made one meanwhile
    const other = await storedIdentity(ctx)
    if (other) return other
    await insertIdentity(ctx, made, true)
    return made
  })
}

/** Makes another certificate the current one; earlier ones lose their keys, and stay known. */
export async function replaceIdentity(ctx: Context, identity: Identity): Promise<void> {
  await ctx.run(sql`update signing_certificates t set private_key = null where ${mine(ctx)}`)
  await insertIdentity(ctx, identity, false)
}

async function insertIdentity(
  ctx: Context,
  { certificates, privateKey }: Identity,
  is_made_here: boolean,
): Promise<void> {
  const pem = certificates.map((raw) => new X509Certificate(raw).toString()).join('')
  await ctx.run(sql`insert into signing_certificates (organization_id, id, certificates, fingerprint,
      private_key, is_made_here, creation_time)
    values (${ctx.organization.id}, ${newId()}, ${pem}, ${fingerprint(certificates[0] ?? '')},
      ${ctx.secrets.encrypt(privateKey)}, ${is_made_here}, ${ctx.now().toISOString()})
    on conflict do nothing`)
}
