import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'

export { pause }

/** Waits for what comes by itself and cannot be listened for, such as a seal, which another process may take a minute for. */
export async function until(holds: () => Promise<boolean> | boolean, seconds = 60): Promise<void> {
  const patience = patient(seconds)
  while (!(await holds())) {
    patience()
    await pause(10)
  }
}

/** What loops call: a failure instead of a test that never ends. */
export function patient(seconds = 90): () => void {
  const end = performance.now() + seconds * 1000
  return () => assert.ok(performance.now() < end, `it did not come in ${seconds} s`)
}
