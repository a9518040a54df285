import { parentPort } from 'node:worker_threads'
import { Failure } from '../kit/ground/errors.ts'

// The entry point of the thread that `child.ts` starts: computes one thing after the other.

/** What is to be computed: the function that a module exports under a name, and its input. */
export type Requested = { module: string; name: string; input: unknown }

/** What came of it: the result, a refusal, or an error that nobody foresaw, after which the thread may have ended. */
export type Outcome = { result: unknown } | { failure: Failure } | { error: string; isLast?: true }

async function outcomeOf({ module, name, input }: Requested): Promise<Outcome> {
  try {
    const { [name]: run } = (await import(module)) as { [name: string]: unknown }
    if (typeof run !== 'function') throw new Error(`${module} does not export ${name}`)
    return { result: (await run(input)) as unknown }
  } catch (error) {
    if (!(error instanceof Failure)) return { error: (error as Error).stack ?? String(error) }
    // an error loses what is not its message when it is cloned
    const { status, code, message, errors, data, retryAfter, movedTo, name } = error
    return { failure: { status, code, message, errors, data, retryAfter, movedTo, name } }
  }
}

parentPort?.on('message', async (requested: Requested) => {
  parentPort?.postMessage(await outcomeOf(requested))
})
