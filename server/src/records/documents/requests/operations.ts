import { Type } from 'typebox'
import { byId, crud } from '../../../kit/crud.ts'
import { orNull } from '../../../kit/ground/json-schema.ts'
import { notFound } from '../../../kit/ground/errors.ts'
import { operation } from '../../../kit/ground/operation.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import { scope } from '../../../kit/record/scope.ts'
import { written } from '../../../kit/write/write.ts'
import { Document } from '../../../model/documents/document.ts'
import { locateText, textPlaces } from '../anchors/anchors.ts'
import type { FileOfDocument } from '../download.ts'
import { download } from '../download.ts'
import { attachedFile } from '../signing/attach.ts'
import { reserveReminder } from '../../mail/quota.ts'
import { readAudit, signatureAudit } from './audit.ts'
import { correction, correctRecipient } from './correct.ts'
import { placeAnchored, requestSignatures, signatureRequest } from './create.ts'
import {
  preparation,
  preparationBody,
  removePreparation,
  shownPreparation,
  storePreparation,
} from './preparation.ts'
import { sealSigningPreview } from './preview.ts'
import { remindRecipient, remindSigners } from './remind.ts'
import { voidSignatures } from './withdraw.ts'
import { readOne } from '../../../kit/read/one.ts'

const { update } = crud(Document)

const byRecipient = Type.Object({
  id: Type.String({ description: 'the id of the document' }),
  recipient_id: Type.String({ description: 'the id of the recipient' }),
})

/** Signature requests: creating, voiding, reminding, and their audit trail. */
export const signatures = {
  request: operation({
    ...update,
    name: 'request_signatures',
    isVersioned: false,
    summary: 'Request signatures for a document',
    description:
      'Mails each recipient a link of their own, at once or in order. The content is locked until everybody has signed.',
    aliases: undefined,
    input: { params: byId, body: signatureRequest },
    before: placeAnchored,
    run: async (ctx, { params, body }) => written(await requestSignatures(ctx, params.id, body)),
  }),
  void: operation({
    ...update,
    name: 'void_signatures',
    isVersioned: false,
    summary: 'Void a signature request',
    description: 'The links stop working, and the content can be changed again.',
    aliases: undefined,
    input: {
      params: byId,
      body: Type.Object({ reason: Type.Optional(orNull(Type.String({ maxLength: 2000 }))) }),
    },
    run: async (ctx, { params, body }) =>
      written(await voidSignatures(ctx, params.id, body.reason?.trim() || null)),
  }),
  remind: operation({
    ...update,
    name: 'remind_signers',
    isVersioned: false,
    summary: 'Remind the signers of a document',
    description:
      'Mails everybody whose signature or approval is pending again, a few times a day at most (429).',
    aliases: undefined,
    input: { params: byId },
    async run(ctx, { params }) {
      await reserveReminder(ctx, 'document', params.id)
      await remindSigners(ctx, params.id)
      return readOne(ctx, Document, params.id)
    },
  }),
  remindOne: operation({
    ...update,
    name: 'remind_recipient',
    isVersioned: false,
    summary: 'Remind one recipient of a signature request',
    description:
      'Mails somebody whose signature or approval is pending again: once in 4 hours, ten times at most (409).',
    aliases: undefined,
    input: { params: byRecipient },
    async run(ctx, { params: { id, recipient_id } }) {
      await reserveReminder(ctx, 'document', id)
      await remindRecipient(ctx, id, recipient_id)
      return readOne(ctx, Document, id)
    },
  }),
  correct: operation({
    ...update,
    name: 'correct_recipient',
    isVersioned: false,
    summary: 'Correct a recipient of a signature request',
    description:
      'Until they have signed or declined: their old link ends, and whoever was invited is mailed a new one.',
    aliases: undefined,
    input: {
      params: byRecipient,
      body: correction,
    },
    async run(ctx, { params, body }) {
      await correctRecipient(ctx, params.id, params.recipient_id, body)
      return readOne(ctx, Document, params.id)
    },
  }),
  locate: operation({
    name: 'locate_text',
    summary: 'Find a text in the PDF of a document',
    description:
      'Where fields can be anchored: whatever the case of the letters and the spaces between words. 400 if the text does not stand there, 404 without a PDF.',
    can: { module: 'documents', action: 'read' },
    writes: false,
    input: {
      params: byId,
      body: Type.Object(
        {
          text: Type.String({
            minLength: 1,
            maxLength: 200,
            pattern: '\\S',
            description: 'a line of it at most',
            example: 'Signature:',
          }),
        },
        { additionalProperties: false },
      ),
    },
    output: textPlaces,
    run: (ctx, { params, body }) => locateText(ctx, params.id, body.text.trim()),
  }),
  file: operation({
    name: 'read_signature_file',
    summary: 'Download a file that a recipient attached',
    description:
      'Once they have signed, unless somebody has declined: `file` of their field has its id. `Range` returns 206.',
    can: { module: 'documents', action: 'read' },
    writes: false,
    input: {
      params: Type.Object({
        id: Type.String({ description: 'the id of the document' }),
        file_id: Type.String({ description: 'the id of the file' }),
      }),
    },
    output: {},
    gives: '*/*',
    async run(ctx, { params: { id, file_id } }) {
      const row = await ctx.one<FileOfDocument>(sql`select ${attachedFile} from signature_files t
        join signature_recipients r on ${mine(ctx, 'r')} and r.id = t.recipient_id
          and r.status in ('signed', 'approved')
        where ${mine(ctx)} and t.id = ${file_id} and r.request_id in (select t.signature_request
          from documents t where ${scope(ctx, Document, 'read')} and t.id = ${id} and t.signature_status <> 'declined')`)
      if (!row) throw notFound('File')
      return download(ctx, row, false)
    },
  }),
  audit: operation({
    name: 'read_signature_audit',
    summary: 'Retrieve the signature audit trail of a document',
    description: 'Returns who did what, when and from where, oldest first.',
    can: { module: 'documents', action: 'read' },
    writes: false,
    input: { params: byId },
    output: signatureAudit,
    run: (ctx, { params }) => readAudit(ctx, params.id),
  }),
}

const ofPreparation = {
  can: { module: 'documents', action: 'update' },
  input: { params: byId },
  output: preparation,
} as const

/** What is prepared for signature and not sent yet, for everybody who may change the document. */
export const preparations = {
  read: operation({
    ...ofPreparation,
    name: 'read_signature_preparation',
    summary: 'Retrieve what is prepared for signature of a document',
    description:
      'Who is to sign and where, before it is sent. Empty if nothing is, with version 0 if nothing ever was.',
    writes: false,
    run: (ctx, { params }) => shownPreparation(ctx, params.id),
  }),
  preview: operation({
    name: 'preview_signing_page',
    summary: 'Create a link to the page that a recipient would sign on',
    description:
      'As it is prepared now, for 30 minutes, with what you may read. Nothing is stored there, and nobody can sign.',
    can: { module: 'documents', action: 'update' },
    writes: false,
    input: {
      params: byId,
      body: Type.Object(
        { recipient: Type.String({ maxLength: 40, description: 'their key in the preparation' }) },
        { additionalProperties: false },
      ),
    },
    output: Type.Object(
      {
        url: Type.String({ description: 'the page, which anyone with the address sees' }),
        expires_at: Type.String({ format: 'date-time' }),
      },
      { title: 'SigningPreview', additionalProperties: false },
    ),
    async run(ctx, { params: { id }, body }) {
      const { key, expires_at } = await sealSigningPreview(ctx, id, body.recipient)
      return { url: `${ctx.public_url}/sign/preview/${key}`, expires_at }
    },
  }),
  store: operation({
    ...ofPreparation,
    name: 'update_signature_preparation',
    summary: 'Store what is prepared for signature of a document',
    description: 'Nobody is asked yet. It goes when the request is sent.',
    writes: true,
    isVersioned: true,
    input: { params: byId, body: preparationBody },
    run: (ctx, { params, body, ifMatch }) => storePreparation(ctx, params.id, body, ifMatch),
  }),
  remove: operation({
    ...ofPreparation,
    name: 'delete_signature_preparation',
    summary: 'Discard what is prepared for signature of a document',
    writes: true,
    isVersioned: true,
    run: (ctx, { params, ifMatch }) => removePreparation(ctx, params.id, ifMatch),
  }),
}
