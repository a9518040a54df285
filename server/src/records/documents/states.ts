import { conflict } from '../../kit/ground/errors.ts'

export type DocumentStatus = 'draft' | 'published'
export type SignatureStatus = 'none' | 'pending' | 'partial' | 'signed' | 'declined'
export type RecipientStatus =
  | 'waiting'
  | 'sent'
  | 'viewed'
  | 'signed'
  | 'approved'
  | 'declined'
  | 'voided'

/** Where a document may go; staying is no move. */
export const documentMoves: { [from in DocumentStatus]: DocumentStatus[] } = {
  draft: ['published'],
  published: [],
}

/**
 * Where the signing of a version may go. It is asked for once; signed is final, and every way back to
 * none is a withdrawal.
 */
export const signatureMoves: { [from in SignatureStatus]: SignatureStatus[] } = {
  none: ['pending'],
  pending: ['partial', 'signed', 'declined', 'none'],
  partial: ['partial', 'signed', 'declined', 'none'],
  signed: [],
  declined: ['none'],
}

/** Where somebody who was asked may go: one who opened the link may act, one who acted is done. */
export const recipientMoves: { [from in RecipientStatus]: RecipientStatus[] } = {
  waiting: ['sent', 'voided'],
  sent: ['viewed', 'signed', 'approved', 'declined', 'voided'],
  viewed: ['signed', 'approved', 'declined', 'voided'],
  signed: ['voided'],
  approved: ['voided'],
  declined: ['voided'],
  voided: [],
}

/** 409 with `from` and `to` for a move that the table does not have. */
export function checkMove<S extends string>(
  moves: { [from in S]: S[] },
  what: string,
  from: S,
  to: S,
): void {
  if (moves[from].includes(to)) return
  throw conflict(`${what} cannot go from ${from} to ${to}`, 'wrong_move', { from, to })
}
