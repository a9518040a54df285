import { rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { makeTemporaryFolder } from './files.ts'
import { newId } from './ids.ts'

const numbers = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 }
type Signal = keyof typeof numbers

/** The same signal within so many milliseconds counts once: Ctrl-C comes from the terminal and from npm. */
const sameSignalMs = 250

const cleanups: (() => unknown)[] = []
let endedAt: number | undefined

/** Whether a signal is ending this process, so that errors are only its consequence. */
export function isInterrupted(): boolean {
  return endedAt !== undefined
}

/**
 * Registers what is still done if a signal ends a command, last in first out; a second signal ends it at once. Returns what
 * removes it again. The service stops in a way of its own (`commands/life.ts`) and does not use this.
 */
export function ifInterrupted(cleanup: () => unknown): () => void {
  if (!cleanups.length) for (const signal of Object.keys(numbers)) process.on(signal, end)
  cleanups.push(cleanup)
  return () => {
    const at = cleanups.indexOf(cleanup)
    if (at >= 0) cleanups.splice(at, 1)
    if (!cleanups.length) for (const signal of Object.keys(numbers)) process.off(signal, end)
  }
}

/** A new folder for a command, which is removed by `remove`, or by a signal that ends the command. */
export async function temporaryFolder(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await makeTemporaryFolder()
  const removePath = () => rm(path, { recursive: true, force: true })
  const forget = ifInterrupted(removePath)
  return { path, remove: () => removePath().finally(forget) }
}

/**
 * Where a command writes what will be renamed to a file once it is whole. The name is new, so that two commands with the
 * same file do not write into each other's; `remove` removes what is there, and so does a signal that ends the command.
 */
export function draftOf(file: string): { path: string; remove(): void } {
  const path = `${file}.${newId()}.part`
  const removePath = () => rmSync(path, { force: true })
  const forget = ifInterrupted(removePath)
  return {
    path,
    remove() {
      removePath()
      forget()
    },
  }
}

async function end(signal: Signal): Promise<void> {
  const status = 128 + numbers[signal]
  if (endedAt !== undefined) {
    if (performance.now() - endedAt > sameSignalMs) process.exit(status)
    return
  }
  endedAt = performance.now()
  for (const cleanup of cleanups.toReversed()) {
    // the others should run whatever becomes of one
    await Promise.resolve(cleanup()).catch(() => {})
  }
  process.exit(status)
}
