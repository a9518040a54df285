import { after } from 'node:test'

let closers: (() => Promise<unknown>)[] = []

/** Registers a cleanup for the end of the whole test file, last in first out. */
export function atEnd(close: () => Promise<unknown>) {
  closers.push(close)
}

/** Runs the registered cleanups. Throws errors after all have run. */
export async function closeAll() {
  const failures: unknown[] = []
  const open = closers.reverse()
  closers = []
  // one that fails must not keep the others from closing, or the process would not end
  for (const close of open) {
    await close().catch((failure: unknown) => failures.push(failure))
  }
  if (failures.length) throw failures.length === 1 ? failures[0] : new AggregateError(failures)
}

after(closeAll)
