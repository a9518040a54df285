import { createHook } from 'node:async_hooks'
import { after } from 'node:test'

type Hook = ReturnType<typeof createHook>

/**
 * The hook by which node:test follows every promise of this process, so that it knows in which test
 * another one is registered. That takes a seventh of the processor time of a file, long after the
 * last is.
 */
const hook = hookOfRunner()

/** Loads a file whose tests register meanwhile, and lets node:test follow promises only until then. */
export async function registering(load: () => Promise<unknown>): Promise<void> {
  hook?.enable()
  try {
    await load()
  } finally {
    hook?.disable()
  }
}

/**
 * From here on node:test follows no promise: for benchmarks, whose service would take longer than one that runs by
 * itself. To be imported before anything else that uses node:test.
 */
export function stopFollowing(): void {
  hook?.disable()
}

/** What node:test enables when it is first used; undefined once it works without. */
function hookOfRunner(): Hook | undefined {
  const prototype = Object.getPrototypeOf(createHook({})) as Hook
  const { enable } = prototype
  const found: Hook[] = []
  prototype.enable = function (this: Hook) {
    found.push(this)
    return enable.call(this)
  }
  after(() => {})
  prototype.enable = enable
  return found[0]
}
