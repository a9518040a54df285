import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { drawFor } from './depth.ts'
import { reportTimeOf } from './processor-time.ts'
import { registering } from './registering.ts'
import { closeAll } from './finally.ts'
import { gatherStatements } from './statements.ts'

if (process.env.STATEMENTS_FOLDER) gatherStatements(process.env.STATEMENTS_FOLDER)

/** So many milliseconds a process may take to end once its tests are done. */
const mostEndingMs = 30_000

// a server or socket that a failed test left open would keep the whole run from ending
after(() => {
  const end = () => {
    console.error(`After its tests the process keeps open: ${process.getActiveResourcesInfo()}`)
    process.exit(1)
  }
  setTimeout(end, mostEndingMs).unref()
})

/**
 * Runs test files one after the other in this process, each as a test with the file's
 * tests below it. Everything that a file has opened is closed before the next begins.
 */
export function runGroup(files: string[]) {
  for (const file of files) {
    test(file, async (t) => {
      drawFor(file)
      const done = reportTimeOf(file)
      t.after(() => closeAll().finally(done))
      await registering(() => import(pathToFileURL(file).href))
    })
  }
}

/** Runs a test file in a separate process; its tests are not nested. */
export function runAlone(file: string): Promise<void> {
  drawFor(file)
  process.once('exit', reportTimeOf(file))
  return registering(() => import(pathToFileURL(file).href))
}
