import { X509Certificate } from 'node:crypto'
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { computationOf } from '../../../kit/ground/computation.ts'
import type { Context } from '../../../kit/ground/context.ts'
import { badField, badRequest } from '../../../kit/ground/errors.ts'
import { orNull } from '../../../kit/ground/json-schema.ts'
import { operation } from '../../../kit/ground/operation.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import { announce } from '../../../kit/write/announce.ts'
import { notAdmin, securityEntries } from '../../../model/organizations/security.ts'
import { requireAdmin } from '../../../model/users/guards.ts'
import type { Identity } from './made-certificate.ts'
import { fingerprint } from './fingerprint.ts'
import { replaceIdentity, storedIdentity } from './identity.ts'

const reading = computationOf(
  import.meta.resolve('./own-certificate.ts'),
  'ownIdentity',
  async () => (await import('./own-certificate.ts')).ownIdentity,
)

const body = Type.Object({
  p12: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100_000,
      description: 'a certificate of your own with its key, as a PKCS #12 file in base64',
    }),
  ),
  pem: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100_000,
      description: 'the same in PEM: the private key, its certificate and those that issued it',
    }),
  ),
  password: Type.Optional(
    Type.String({
      maxLength: 1000,
      description: 'what opens the file or the key; it is not stored',
    }),
  ),
  timestamp_url: Type.Optional(
    orNull(
      Type.String({
        maxLength: 2048,
        description:
          'a time stamp service (RFC 3161) that confirms when each seal was made; null for none',
        example: 'https://timestamp.example.com',
      }),
    ),
  ),
})

const output = Type.Object(
  {
    certificate: {
      ...orNull(
        Type.Object(
          {
            subject: Type.String({ description: 'in whose name documents are sealed' }),
            issuer: Type.String({ description: 'who confirms that name' }),
            valid_from: Type.String({ format: 'date-time', description: 'since when it is valid' }),
            valid_until: Type.String({
              format: 'date-time',
              description: 'until when it is valid',
            }),
            fingerprint: Type.String({ description: 'SHA-256 of the certificate, in hex' }),
            is_made_here: Type.Boolean({
              description: 'made by the service, so that PDF readers show the name as unknown',
            }),
          },
          { title: 'SigningCertificate' },
        ),
      ),
      description: 'whose signature sealed documents have; null before the first one',
    },
    timestamp_url: orNull(Type.String({ description: 'the time stamp service in use' })),
  },
  { title: 'SigningSettings' },
)

const common = { topic: 'organization', can: { module: 'roles', action: 'update' } } as const
/** What `before` has read of a body, outside the transaction. */
const read = new WeakMap<object, Identity>()

/** The certificate and the time stamp service with which an organization seals signed documents. */
export const signingSettings = {
  read: operation({
    ...common,
    name: 'read_signing_settings',
    summary: 'Retrieve the seal settings',
    writes: false,
    input: {},
    output,
    run: (ctx) => shown(ctx),
  }),
  update: operation({
    ...common,
    name: 'update_signing_settings',
    needsSession: true,
    summary: 'Set the certificate and time stamp service of seals',
    description:
      'For admins. What is left out stays. Without a certificate of your own, one is made for the first seal.',
    writes: true,
    input: { body },
    output,
    async before(ctx, { body: sent }) {
      await requireAdmin(ctx, notAdmin)
      if (sent.p12 !== undefined && sent.pem !== undefined)
        throw badField('pem', 'must not be sent with p12')
      if (sent.p12 !== undefined || sent.pem !== undefined) {
        const { p12, pem, password } = sent
        const own = {
          ...(p12 ? { p12 } : {}),
          ...(pem ? { pem } : {}),
          ...(password ? { password } : {}),
        }
        const asked = { ...own, now: ctx.now().toISOString() }
        // what a password opens may take long to be opened
        const isSlow = p12 !== undefined || password !== undefined
        const identity = isSlow
          ? await ctx.services.computations.run(ctx.organization.id, reading, asked)
          : await reading.run(asked)
        const certificates = identity.certificates.map((each) => Buffer.from(each))
        read.set(sent, { ...identity, certificates })
      }
      if (sent.timestamp_url) await checkTimestamps(ctx, sent.timestamp_url)
    },
    run: (ctx, { body: sent }) => update(ctx, sent),
  }),
}

/** The address of the organization's time stamp service; null without one. */
export async function timestampUrl(ctx: Context): Promise<string | null> {
  const found = await ctx.one<{ timestamp_url: string }>(
    sql`select t.timestamp_url from signing_settings t where ${mine(ctx)}`,
  )
  return found?.timestamp_url ?? null
}

/** 400 if no time stamp can be had from an address. */
async function checkTimestamps(ctx: Context, url: string): Promise<void> {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw badField('timestamp_url', 'must be an address such as https://timestamp.example.com')
  }
  const { timestamp } = await import('./timestamp.ts')
  try {
    await timestamp(Buffer.alloc(32, 1), (content) =>
      ctx.services.authorities.ask(url, { type: 'timestamp-query', content }),
    )
  } catch {
    throw badField('timestamp_url', 'must be a time stamp service (RFC 3161) that answers')
  }
}

async function update(ctx: Context, sent: Static<typeof body>) {
  await requireAdmin(ctx, notAdmin)
  const changes: { field: string; from: unknown; to: unknown }[] = []
  const identity = read.get(sent)
  if (identity) {
    const before = await storedIdentity(ctx)
    await replaceIdentity(ctx, identity)
    const name = (each: Identity | undefined) => each?.certificates.map(fingerprint)[0] ?? null
    changes.push({ field: 'certificate', from: name(before), to: name(identity) })
  } else if (sent.p12 !== undefined || sent.pem !== undefined) {
    throw badRequest('The certificate was not read')
  }
  const from = await timestampUrl(ctx)
  const to = sent.timestamp_url
  if (to !== undefined && to !== from) {
    if (to === null) await ctx.run(sql`delete from signing_settings t where ${mine(ctx)}`)
    else {
      await ctx.run(sql`insert into signing_settings (organization_id, timestamp_url)
        values (${ctx.organization.id}, ${to})
        on conflict (organization_id) do update set timestamp_url = excluded.timestamp_url`)
    }
    changes.push({ field: 'timestamp_url', from, to })
  }
  if (changes.length) {
    const title = 'Seal settings changed'
    await announce(ctx, securityEntries, 'updated', { id: null, title, changes })
  }
  return shown(ctx)
}

async function shown(ctx: Context): Promise<Static<typeof output>> {
  const identity = await storedIdentity(ctx)
  const timestamp_url = await timestampUrl(ctx)
  const [certificate] = identity?.certificates ?? []
  if (!identity || !certificate) return { certificate: null, timestamp_url }
  const own = new X509Certificate(certificate)
  const time = (text: string) => new Date(text).toISOString()
  return {
    certificate: {
      subject: commonName(own.subject),
      issuer: commonName(own.issuer),
      valid_from: time(own.validFrom),
      valid_until: time(own.validTo),
      fingerprint: fingerprint(own.raw),
      is_made_here: identity.is_made_here,
    },
    timestamp_url,
  }
}

/** `O=Acme\nCN=Acme` → `Acme`. */
function commonName(name: string): string {
  return /(?:^|\n)CN=(.*)/.exec(name)?.[1] ?? name.replaceAll('\n', ', ')
}
