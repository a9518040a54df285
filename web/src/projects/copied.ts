import type { More } from './new-values.ts'

/** A row as the clipboard holds it: how far it is below the first one, and what else it has. */
export type Copied = { title: string; depth: number; isMilestone: boolean; more: More }

/** The rows that a text of the clipboard holds; undefined where it is none of ours. */
export function readDuplicates(text: string): Copied[] | undefined {
  if (!text) return undefined
  try {
    const read: unknown = JSON.parse(text)
    const list = Array.isArray(read) ? read.filter(isCopied) : []
    return list.length ? list : undefined
  } catch {
    return undefined
  }
}

function isCopied(value: unknown): value is Copied {
  return (
    isRecord(value) &&
    typeof value.title === 'string' &&
    typeof value.depth === 'number' &&
    typeof value.isMilestone === 'boolean' &&
    isRecord(value.more) &&
    isRecord(value.more.sent) &&
    isRecord(value.more.shown)
  )
}

function isRecord(value: unknown): value is { [name: string]: unknown } {
  return typeof value === 'object' && value !== null
}
