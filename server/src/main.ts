#!/usr/bin/env node
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// Compiled modules are cached between starts, which saves 0.4 s of 1 s. The scripts in package.json set the same by
// NODE_COMPILE_CACHE before this file is read, so that the TypeScript compiler (18 MB) is not loaded at all.
// Child processes use it, too.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(
  new URL('../../node_modules/.cache/perennial', import.meta.url),
)
enableCompileCache(process.env.NODE_COMPILE_CACHE)
const { run } = await import('./commands/line.ts')

let hasSucceeded = false
let lost: NodeJS.ErrnoException | undefined
/** Says that the output was not written, unless the command has failed and said why. */
const reportLost = () => {
  if (!lost || !hasSucceeded) return
  process.stderr.write(`perennial: The output cannot be written: ${lost.message}\n`)
  process.exitCode = 1
}
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // a reader such as `head` that has seen enough is no error
  if (error.code === 'EPIPE') return
  lost = error
  reportLost()
})

const status = await run(process.argv.slice(2), process.env, {
  out: (text) => void process.stdout.write(`${text}\n`),
  note: (text) => void process.stderr.write(`${text}\n`),
  hasColors: process.stdout.hasColors?.() === true && !process.env.NO_COLOR,
})
if (status !== undefined) process.exitCode = status
hasSucceeded = !status
reportLost()
