import type { Problem } from '../api/problem.ts'

/** A short message for the person: what was done and can be undone, or what was refused. */
export type Notice = {
  message: string
  detail?: string
  problem?: Problem
  undo?: () => void | Promise<void>
  /** what Ctrl+Z does while this is the newest notice, where that is not the same */
  undoByKey?: () => void | Promise<void>
  /** what the person can do about it */
  action?: { label: string; run: () => void | Promise<void> }
}

const listeners = new Set<(notice: Notice) => void>()

/** Shows a notice; the shell displays it, whatever screen is open. */
export function notify(notice: Notice): void {
  for (const listener of listeners) listener(notice)
}

/** Calls the listener with every notice. */
export function onNotice(listener: (notice: Notice) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
