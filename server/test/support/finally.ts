import { after } from 'node:test'

const closers: (() => Promise<unknown>)[] = []

/** Runs when the whole test file is done, last in first out, wherever it was asked for. */
export function atEnd(close: () => Promise<unknown>) {
  closers.push(close)
}

after(async () => {
  for (const close of closers.reverse()) await close()
})
