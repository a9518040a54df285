import type { Context, Queries } from '../../../kit/ground/context.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'

/** The header in which DocuSeal sends the secret. */
export const secretHeader = 'X-Docuseal-Secret'

/** How long the previous secret remains valid. */
const rotationMs = 86_400_000

/** A secret with which events of an organization's documents may be reported, and its expiry. */
type ExternalSecret = { secret: string; until: string | null }

/** The secrets of an organization that are valid at a time, the current one first; none if it is unknown. */
export async function externalSecrets(
  queries: Queries,
  { secrets: { hash }, now }: Pick<Context, 'secrets' | 'now'>,
  organization: string,
): Promise<ExternalSecret[]> {
  const found = await queries.one<{ number: number; until: string | null }>(sql`
    select docuseal_secret_number as number, docuseal_previous_until as until
    from organizations where organization_id = ${organization}`)
  if (!found) return []
  const { number, until } = found
  // each is derived from its number, so none has to be stored
  const numbered = (at: number) =>
    hash(`docuseal ${organization}${at ? ` ${at}` : ''}`).toString('base64url')
  const previous =
    until && +new Date(until) > +now() ? [{ secret: numbered(number - 1), until }] : []
  return [{ secret: numbered(number), until: null }, ...previous]
}

/** Replaces the current secret. */
export async function rotateExternalSecret(ctx: Context): Promise<void> {
  const until = new Date(+ctx.now() + rotationMs).toISOString()
  await ctx.run(sql`update organizations t set docuseal_previous_until = ${until},
    docuseal_secret_number = docuseal_secret_number + 1 where ${mine(ctx)}`)
}
