import { Type } from 'typebox'
import { byId } from '../../../kit/crud.ts'
import { operation } from '../../../kit/ground/operation.ts'
import { arrayOf } from '../../../kit/ground/json-schema.ts'
import { cancelBatch, listBatches, readBatch, startBatch } from './batch.ts'
import { batchBody, batchPlan, batchSchema, batchWithLines, most } from './schemas.ts'

const byBatch = Type.Object({
  id: Type.String({ description: 'the id of the document' }),
  batch_id: Type.String({ description: 'the id of the batch' }),
})

/** One document that is sent for signature to many, each with a document of their own. */
export const batches = {
  start: operation({
    name: 'start_signature_batch',
    summary: 'Send a document for signature to many',
    description:
      `Makes a document for each of up to ${most.lines} lines, or of the contacts that a filter finds, as \`use/\` does of a reusable one, and requests its signatures. ` +
      '`dry_run` says of each line what is wrong, and sends nothing. What is started is held for some seconds, in which `cancel/` undoes it; then it is sent in the background, and its sender is notified at the end.',
    can: { module: 'documents', action: 'update' },
    writes: true,
    input: { params: byId, body: batchBody },
    output: batchPlan,
    run: (ctx, { params, body }) => startBatch(ctx, params.id, body),
  }),
  list: operation({
    name: 'list_signature_batches',
    summary: 'List what was sent for signature to many of a document',
    description: 'The latest first, 100 at most: your own, or all if you may change the document.',
    can: { module: 'documents', action: 'read' },
    writes: false,
    input: { params: byId },
    output: arrayOf(batchSchema),
    run: (ctx, { params }) => listBatches(ctx, params.id),
  }),
  read: operation({
    name: 'read_signature_batch',
    summary: 'Retrieve what was sent for signature to many',
    description: 'With what came of each line.',
    can: { module: 'documents', action: 'read' },
    writes: false,
    input: { params: byBatch },
    output: batchWithLines,
    run: (ctx, { params }) => readBatch(ctx, params.id, params.batch_id),
  }),
  cancel: operation({
    name: 'cancel_signature_batch',
    summary: 'Cancel what is being sent for signature to many',
    description:
      'While it is held, nothing leaves; later, what has left stays, and the rest does not. 409 once it is over.',
    can: { module: 'documents', action: 'read' },
    writes: true,
    input: { params: byBatch },
    output: batchWithLines,
    run: (ctx, { params }) => cancelBatch(ctx, params.id, params.batch_id),
  }),
}
