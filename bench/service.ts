import { type ChildProcess, fork } from 'node:child_process'
import { rmSync } from 'node:fs'
import { startEmbedded } from '../server/src/database/embedded.ts'
import { migrate } from '../server/src/database/migrate.ts'
import { temporaryFolder } from './folder.ts'

/** The key of the services that benches start. */
export const secretKey = 'a secret key for measuring only, 32+ characters'

/**
 * Runs a bench on the migrated database of a URL, or on an embedded one that is removed afterwards. `start` starts the
 * service on it, as a separate process that ends with the bench, and returns its address.
 */
export async function withService(
  named: string | undefined,
  bench: (url: string, start: () => Promise<string>) => Promise<void>,
): Promise<void> {
  const folder = named === undefined ? temporaryFolder('bench') : undefined
  const embedded = folder ? await startEmbedded({ dataDir: folder, log: () => {} }) : undefined
  const url = named ?? embedded!.url
  let child: ChildProcess | undefined
  try {
    await migrate(url)
    await bench(url, () => {
      const started = startApp(url)
      child = started.child
      return started.app
    })
  } catch (error) {
    // before connections are closed, whose errors would hide the cause
    console.error(error)
    process.exitCode = 1
  } finally {
    child?.kill()
    await embedded?.stop()
    if (folder) rmSync(folder, { recursive: true, force: true })
  }
}

/** Starts the service on a migrated database as a separate process, and says its address. */
export function startApp(url: string): { child: ChildProcess; app: Promise<string> } {
  const child = fork(new URL('./servers/app.ts', import.meta.url), [url, secretKey])
  const app = new Promise<string>((resolve, reject) => {
    child.once('message', (message) => resolve((message as { app: string }).app))
    child.once('exit', (code) => reject(new Error(`the service ended with ${code}`)))
  })
  return { child, app }
}
