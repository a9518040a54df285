import { Type } from 'typebox'
import type { Context } from '../../../kit/ground/context.ts'
import { forbidden } from '../../../kit/ground/errors.ts'
import { operation } from '../../../kit/ground/operation.ts'
import { mayAll, requireWholeToken } from '../../../kit/record/scope.ts'
import { announce } from '../../../kit/write/announce.ts'
import { externalSecrets, rotateExternalSecret, secretHeader } from './secret.ts'

const common = { can: { module: 'apps', action: 'update' }, topic: 'documents' } as const

const settings = Type.Object({
  url: Type.String(),
  header: Type.String(),
  secret: Type.String(),
  previous_secret_until: Type.Union([Type.String(), Type.Null()], {
    description: 'until when the secret before is good too; null where it is not',
  }),
})

/** Signatures that are requested in DocuSeal instead of here. */
export const externalSigning = {
  read: operation({
    ...common,
    name: 'read_external_signing',
    summary: 'Retrieve the DocuSeal webhook settings',
    description:
      'The address and the secret header to enter in DocuSeal. A submission belongs to the document that has its id as `external_submission_id`, or whose `attach_id` it carries as `external_id` or as `metadata.attach_id` of a submitter. A document is marked as signed only if DocuSeal’s own API, which the operator has configured, answers so about a submission that carries its `attach_id`; else the signature is logged as reported.',
    writes: false,
    input: {},
    output: settings,
    async run(ctx) {
      checkRight(ctx)
      return readSettings(ctx)
    },
  }),
  rotateSecret: operation({
    ...common,
    name: 'rotate_external_signing_secret',
    summary: 'Rotate the secret of DocuSeal',
    description: 'The previous secret is good too for 24 hours.',
    writes: true,
    input: {},
    output: settings,
    async run(ctx) {
      checkRight(ctx)
      await rotateExternalSecret(ctx)
      const title = 'DocuSeal secret rotated'
      await announce(ctx, { module: 'apps', word: 'app' }, 'secret rotated', { id: null, title })
      return readSettings(ctx)
    },
  }),
}

/**
 * 403 for callers who may not update every app, and for a personal access token with fewer rights than its user:
 * with the secret anybody could report events of every document.
 */
function checkRight({ actor }: Context): void {
  requireWholeToken(actor)
  if (!mayAll(actor, 'apps', 'update')) {
    throw forbidden('Your role may not update every app, so not see the secret of DocuSeal')
  }
}

async function readSettings(ctx: Context) {
  const { id } = ctx.organization
  const [current, previous] = await externalSecrets(ctx, ctx, id)
  return {
    url: `${ctx.public_url}/webhook/docuseal/${id}`,
    header: secretHeader,
    secret: current?.secret ?? '',
    previous_secret_until: previous?.until ?? null,
  }
}
