import { paced } from './turns.ts'

/** Long work in short steps: it yields after each, and returns its result. */
export type Steps<T> = Generator<void, T, void>

/** Runs all steps without a pause. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** Runs the steps beside other work, to which it leaves at least half of the event loop. */
export async function beside<T>(steps: Steps<T>): Promise<T> {
  const stepDone = paced()
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    await stepDone()
  }
}

/** The entries of an object, changed: a step for each. */
export function* eachValue<V, W>(
  of: { [key: string]: V },
  change: (value: V, key: string) => W,
): Steps<{ [key: string]: W }> {
  const changed: [string, W][] = []
  for (const [key, value] of Object.entries(of)) {
    changed.push([key, change(value, key)])
    yield
  }
  return Object.fromEntries(changed)
}
