import type { FastifyInstance } from 'fastify'
import { notFound } from '../../kit/ground/errors.ts'
import { sql } from '../../kit/ground/sql.ts'
import type { Runtime } from '../../runtime.ts'

type Path = { Params: { organization: string; file: string } }

/** The uploaded logo of an organization, for mails and pages; a new one has another address. */
export function logoPage(scope: FastifyInstance, runtime: Runtime) {
  scope.get<Path>('/logo/:organization/:file', async (request, reply) => {
    const { organization, file } = request.params
    if (![organization, file].every((part) => /^[a-z0-9]{1,25}$/.test(part))) throw notFound('Logo')
    const found = await runtime.database.reads(organization).one<{
      media_type: string
      content: Buffer
    }>(sql`
        select media_type, content from organization_logos t
        where t.organization_id = ${organization} and t.id = ${file}`)
    if (!found) throw notFound('Logo')
    return reply
      .header('content-type', found.media_type)
      .header('cache-control', 'public, max-age=31536000, immutable')
      .header('cross-origin-resource-policy', 'cross-origin')
      .header('content-security-policy', "default-src 'none'; sandbox")
      .header('x-content-type-options', 'nosniff')
      .send(found.content)
  })
}
