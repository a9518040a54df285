/** The job that creates the signed version of a document once everybody has signed. */
export const sealing = { name: 'seal-document' }
export type Sealing = { document_id: string }
