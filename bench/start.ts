import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { temporaryFolder } from './folder.ts'

// The duration of a start and the memory of an idle process: once on a fresh folder, with the
// demonstration, and once on the same folder again. `node bench/start.ts [--seconds 30] [--main path/to/main.ts]`

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '30' },
    main: {
      type: 'string',
      default: fileURLToPath(new URL('../server/src/main.ts', import.meta.url)),
    },
  },
})
const folder = temporaryFolder('start')

/** The resident memory of a process, in MB; Linux only. */
function residentMb(pid: number): string {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return (Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024).toFixed(0)
}

async function measure(what: string) {
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env
  const own = { PORT: '0', DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'warn' }
  // as set by `npm start`, if the caller does
  const cached = NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE } : {}
  const env = { PATH, HOME, ...own, ...cached }
  const child = spawn(process.execPath, [values.main, 'serve'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'close')
  let out = ''
  const seconds = await new Promise<string>((ready, failed) => {
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString()
      const [, found] = /is ready after ([\d.]+)/.exec(out) ?? []
      if (found) ready(found)
    })
    void ended.then(() => failed(new Error(`it ended: ${out}`)))
  })
  await sleep(Number(values.seconds) * 1000)
  console.log(
    `${what}: ready after ${seconds} s, ${residentMb(child.pid!)} MB after ${values.seconds} s`,
  )
  child.kill('SIGTERM')
  await ended
}

await measure('fresh folder, with the demonstration')
await measure('the same folder again')
rmSync(folder, { recursive: true, force: true })
