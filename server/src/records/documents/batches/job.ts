/** The job that sends a batch, by name, so that starting one does not import its code. */
export const sendBatchName = { name: 'send-signature-batch' }
export type SendBatch = { batch_id: string }
