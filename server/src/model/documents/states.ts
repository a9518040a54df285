import { conflict } from '../../kit/ground/errors.ts'

export const documentStatuses = ['draft', 'published'] as const
export type DocumentStatus = (typeof documentStatuses)[number]

/** The statuses that a document may change to, by the current one; keeping the status is no move. */
export const documentMoves: { [from in DocumentStatus]: DocumentStatus[] } = {
  draft: ['published'],
  published: [],
}

/** 409 with `from` and `to` for a move that the table does not allow. */
export function checkMove<S extends string>(
  moves: { [from in S]: S[] },
  what: string,
  from: S,
  to: S,
): void {
  if (moves[from].includes(to)) return
  throw conflict(`${what} cannot go from ${from} to ${to}`, 'wrong_move', { from, to })
}
