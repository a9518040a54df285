import type { Context } from '../../../kit/ground/context.ts'

/** The header in which DocuSeal sends the secret. */
export const secretHeader = 'X-Docuseal-Secret'

/** The secret of an organization: whoever knows it may report events of its documents. */
export function externalSecret({ hash }: Context['secrets'], organization: string): string {
  return hash(`docuseal ${organization}`).toString('base64url')
}
