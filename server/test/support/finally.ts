import { after } from 'node:test'

const closers: (() => Promise<unknown>)[] = []

/** Runs when the whole test file is done, last in first out, wherever it was asked for. */
export function atEnd(close: () => Promise<unknown>) {
  closers.push(close)
}

after(async () => {
  const failures: unknown[] = []
  // one that fails must not keep the others from closing, or the process would not end
  for (const close of closers.reverse()) {
    await close().catch((failure: unknown) => failures.push(failure))
  }
  if (failures.length) throw failures.length === 1 ? failures[0] : new AggregateError(failures)
})
