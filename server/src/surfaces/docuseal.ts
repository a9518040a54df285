import type { FastifyInstance } from 'fastify'
import { Failure, unauthorized } from '../kit/ground/errors.ts'
import { newId } from '../kit/ground/ids.ts'
import { applyExternalEvent } from '../records/documents/external/apply.ts'
import { answeredEvent, checkedEvent, submissionIn } from '../records/documents/external/event.ts'
import { externalSecrets, secretHeader } from '../records/documents/external/secret.ts'
import type { Runtime } from '../runtime.ts'
import { inTransaction, system } from '../runtime.ts'
import { equalInConstantTime } from '../secrets.ts'
import { refuseOtherMethods } from './methods.ts'
import { findOrganization } from './organization.ts'

const path = '/webhook/docuseal/{organization}'

/**
 * Where DocuSeal reports signatures, authenticated by the organization's secret in a header. What became of the
 * submission is read from DocuSeal's own API: whoever has the secret alone marks no document as signed.
 */
export function docuseal(scope: FastifyInstance, runtime: Runtime) {
  scope.post<{ Params: { organization: string } }>(
    '/webhook/docuseal/:organization',
    {
      // before the body is read
      onRequest: async (request) => {
        const sent = Buffer.from(String(request.headers[secretHeader.toLowerCase()] ?? ''))
        const { organization } = request.params
        const reads = runtime.database.reads(organization)
        const good = await externalSecrets(reads, runtime, organization)
        if (!good.some(({ secret }) => equalInConstantTime(sent, Buffer.from(secret)))) {
          throw unauthorized(`${secretHeader} is missing or wrong`)
        }
      },
    },
    async (request, reply) => {
      const { body } = request as { body: { [field: string]: unknown } }
      if (body === undefined) throw new Failure(400, 'invalid_body', 'Invalid request body')
      const event = checkedEvent(body)
      const id = request.params.organization
      const organization = await findOrganization(runtime.database.reads(id), id)
      if (!organization) throw unauthorized(`${secretHeader} is missing or wrong`)
      const actor = { ...system, full_name: 'DocuSeal' }
      const caller = { organization, actor, source: 'job', request_id: newId() }
      const submission = submissionIn(event)
      // before the transaction, which would hold a connection meanwhile
      const answer = submission === null ? undefined : await runtime.readSubmission?.(submission)
      const confirmed = answer === undefined ? undefined : answeredEvent(answer, submission)
      const handled = await inTransaction(runtime, caller, (ctx) =>
        applyExternalEvent(ctx, event, confirmed),
      )
      return reply.header('cache-control', 'no-store').send({ status: 'success', handled })
    },
  )
  refuseOtherMethods(scope, [{ path, method: 'POST' }])
}
