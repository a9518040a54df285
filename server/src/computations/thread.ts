import { parentPort } from 'node:worker_threads'
import { Failure } from '../kit/ground/errors.ts'

// The entry point of the thread that `child.ts` starts: runs computations one after the other.

/** A computation: a module, the name of its exported function, and the input. */
export type Requested = { module: string; name: string; input: unknown }

/** What the thread says once the module is loaded: what follows is the computation's own time and memory. */
export type Loaded = 'loaded'

/** The outcome: the result, a refusal, or an unexpected error, after which the thread may have ended. */
export type Outcome = { result: unknown } | { failure: Failure } | { error: string; isLast?: true }

async function outcomeOf({ module, name, input }: Requested): Promise<Outcome> {
  try {
    const { [name]: run } = (await import(module)) as { [name: string]: unknown }
    if (typeof run !== 'function') throw new Error(`${module} does not export ${name}`)
    parentPort?.postMessage('loaded' satisfies Loaded)
    return { result: (await run(input)) as unknown }
  } catch (error) {
    if (!(error instanceof Failure)) return { error: (error as Error).stack ?? String(error) }
    // cloning an error loses everything except its message
    const { status, code, message, errors, data, retryAfter, movedTo, name } = error
    return { failure: { status, code, message, errors, data, retryAfter, movedTo, name } }
  }
}

parentPort?.on('message', async (requested: Requested) => {
  parentPort?.postMessage(await outcomeOf(requested))
})
