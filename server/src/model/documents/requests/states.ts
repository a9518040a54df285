import { enumeration } from '../../../kit/ground/json-schema.ts'

export const signatureStatuses = ['none', 'pending', 'partial', 'signed', 'declined'] as const
export type SignatureStatus = (typeof signatureStatuses)[number]

const roles = ['signer', 'approver', 'viewer', 'cc'] as const
export type SignatureRole = (typeof roles)[number]
export const signatureRole = enumeration(roles, { title: 'SignatureRole' })

const recipientStatuses = [
  'waiting',
  'sent',
  'viewed',
  'signed',
  'approved',
  'declined',
  'voided',
] as const
export type RecipientStatus = (typeof recipientStatuses)[number]
export const recipientStatus = enumeration(recipientStatuses, { title: 'SignatureRecipientStatus' })

/** `open` until everybody has signed, somebody declines, or the request is withdrawn or expires. */
export type RequestStatus = 'open' | 'signed' | 'declined' | 'voided' | 'expired'

/**
 * The signature statuses that a version may change to. Signatures are requested once; `signed` is
 * final, and every way back to `none` is a withdrawal.
 */
export const signatureMoves: { [from in SignatureStatus]: SignatureStatus[] } = {
  none: ['pending'],
  pending: ['partial', 'signed', 'declined', 'none'],
  partial: ['partial', 'signed', 'declined', 'none'],
  signed: [],
  declined: ['none'],
}

/** The statuses that a recipient may change to: whoever has the link may act, once. */
export const recipientMoves: { [from in RecipientStatus]: RecipientStatus[] } = {
  waiting: ['sent', 'voided'],
  sent: ['viewed', 'signed', 'approved', 'declined', 'voided'],
  viewed: ['signed', 'approved', 'declined', 'voided'],
  signed: ['voided'],
  approved: ['voided'],
  declined: ['voided'],
  voided: [],
}

/** What a recipient is asked for before the page opens. */
export const signatureCheck = enumeration(['email_code'], {
  title: 'SignatureCheck',
  description: 'a code that is mailed to the recipient when they open the page',
})
