import type { Context } from '../../kit/ground/context.ts'

/**
 * What happened before a record came here, such as by an import: when it was closed or completed, if that is
 * known. A deal that was lost then needs no reason.
 */
export type History = {
  at: string | undefined
  /** the same where it is said, and not only known from the last change of the record */
  said: string | undefined
}

/** When a record was finished: now, unless that was before it came here. */
export function finishedAt(ctx: Context, history: History | undefined): string {
  return history?.at ?? ctx.now().toISOString()
}

/**
 * The same for a record that is new here: null if it was finished at an unknown time before it came, which is in no
 * month.
 */
export function finishedBefore(ctx: Context, history: History | undefined): string | null {
  return history ? (history.at ?? null) : ctx.now().toISOString()
}

/** Whether a history says another time than what is stored. */
export function isOther(history: History | undefined, stored: string | null): boolean {
  const said = history?.said
  return said !== undefined && (!stored || Date.parse(said) !== Date.parse(stored))
}
