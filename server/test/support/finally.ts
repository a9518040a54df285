import { after } from 'node:test'

let closers: (() => Promise<unknown>)[] = []

/** Runs when the whole test file is done, last in first out, wherever it was asked for. */
export function atEnd(close: () => Promise<unknown>) {
  closers.push(close)
}

/** Runs what was asked for so far. Throws what went wrong, after the others have run. */
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
