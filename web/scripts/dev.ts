import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { createServer } from 'vite'

/**
 * The server and Vite together, for working on the screens: http://localhost:5173 shows changes at
 * once. Ctrl-C, or the end of either, ends both.
 */
const root = fileURLToPath(new URL('../../', import.meta.url))
const port = process.env.PORT ?? '3000'
process.env.PERENNIAL_URL ??= `http://127.0.0.1:${port}`
const main = fileURLToPath(new URL('../../server/src/main.ts', import.meta.url))
const server = spawn(process.execPath, [main, 'serve', ...process.argv.slice(2)], {
  cwd: root,
  // a first Ctrl-C reaches it by us alone: a second one would stop it at once
  detached: true,
  stdio: 'inherit',
  env: { ...process.env, PORT: port, WORKSPACE: 'dev' },
})
const vite = await createServer({ root: fileURLToPath(new URL('../', import.meta.url)) })
const ended = once(server, 'exit')
let isEnding = false

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => end(signal))
void ended.then(() => end('SIGTERM'))
await vite.listen().catch((error: unknown) => {
  console.error(String(error))
  process.exitCode = 1
  end('SIGTERM')
})
if (!isEnding) vite.printUrls()

function end(signal: NodeJS.Signals) {
  if (isEnding) return
  isEnding = true
  stop(server, signal)
  void Promise.all([vite.close(), ended]).then(([, [status]]) => {
    process.exitCode ??= typeof status === 'number' ? status : 1
    process.exit()
  })
}

function stop(child: ChildProcess, signal: NodeJS.Signals) {
  if (child.exitCode === null && child.signalCode === null) child.kill(signal)
}
