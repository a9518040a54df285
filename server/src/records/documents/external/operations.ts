import { Type } from 'typebox'
import { forbidden } from '../../../kit/ground/errors.ts'
import { operation } from '../../../kit/ground/operation.ts'
import { mayAll } from '../../../kit/record/scope.ts'
import { externalSecret, secretHeader } from './secret.ts'

/** Signatures that are requested in DocuSeal instead of here. */
export const externalSigning = {
  read: operation({
    name: 'read_external_signing',
    summary: 'Retrieve the DocuSeal webhook settings',
    description:
      'The address and the secret header to enter in DocuSeal. A submission belongs to the document that has its id as `external_submission_id`, or whose `attach_id` it carries as `external_id` or as `metadata.attach_id` of a submitter.',
    can: { module: 'apps', action: 'update' },
    topic: 'documents',
    writes: false,
    input: {},
    output: Type.Object({ url: Type.String(), header: Type.String(), secret: Type.String() }),
    async run(ctx) {
      // by it events of every document are reported, whoever sees the document
      if (!mayAll(ctx.actor, 'apps', 'update')) {
        throw forbidden('Only a role that may update all apps may see the secret of DocuSeal')
      }
      return {
        url: `${ctx.public_url}/webhook/docuseal/${ctx.organization.id}`,
        header: secretHeader,
        secret: externalSecret(ctx.secrets, ctx.organization.id),
      }
    },
  }),
}
