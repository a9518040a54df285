import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { Failure } from '../kit/ground/errors.ts'

// The entry point of the threads that `pool.ts` starts: computes one thing after the other.

/** What a thread is to compute: the function that a module exports under a name, and its input. */
export type Requested = { module: string; name: string; input: unknown }

/** What came of it: the result, a refusal, or an error that nobody foresaw. */
type Outcome = { result: unknown } | { failure: Failure } | { error: string }

/** The outcome, and the processor time in seconds that the thread has taken since its start. */
export type Answered = Outcome & { spent: number }

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

// on Linux the priority is that of the thread: the event loop of the service goes first
if (parentPort && process.platform === 'linux') setPriority(15)

parentPort?.on('message', async (requested: Requested) => {
  const outcome = await outcomeOf(requested)
  const { user, system } = process.threadCpuUsage()
  parentPort?.postMessage({ ...outcome, spent: (user + system) / 1e6 } satisfies Answered)
})
