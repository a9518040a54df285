#!/usr/bin/env node
import { run } from './commands/line.ts'

// a reader such as `head` that has seen enough is no error
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

const status = await run(process.argv.slice(2), process.env, {
  out: (text) => void process.stdout.write(`${text}\n`),
  note: (text) => void process.stderr.write(`${text}\n`),
  hasColors: process.stdout.hasColors?.() === true && !process.env.NO_COLOR,
})
if (status !== undefined) process.exitCode = status
