import { spawn } from 'node:child_process'
import { join, resolve } from 'node:path'

/**
 * Runs what a change must pass beside the tests, two at a time, and prints what fails: format, lint,
 * layers, types and their ratchet; with `--all` also unused code and the API document.
 */
const bin = (name: string) => join('node_modules', '.bin', name)
// each of several checkers works out the types that they share for itself, twice the processor time
const once = ['--checkers', '1']
const quick: [name: string, command: string, ...args: string[]][] = [
  ['lint', bin('oxlint'), '--type-aware'],
  ['types', bin('tsc'), '-p', '.', ...once],
  ['types of the screens', bin('tsc'), '-p', 'web', ...once],
  ['ratchet', process.execPath, 'server/scripts/ratchet.ts'],
  ['layers', process.execPath, 'server/scripts/layers.ts'],
  ['format', bin('oxfmt'), '--check'],
]
const whole: typeof quick = [
  ...quick,
  ['unused code', bin('knip')],
  ['API document', process.execPath, 'server/scripts/openapi.ts', '--check'],
  ['API document, lint', bin('redocly'), 'lint'],
]

// the tests find compiled what the checks have loaded
process.env.NODE_COMPILE_CACHE ??= resolve('node_modules/.cache/perennial')

// what the screens, the SDK and the connectors know of the API
const generators = ['web/scripts/types.ts', 'sdk/scripts/types.ts', 'connectors/build.ts']
for (const path of generators) {
  const { status, output } = await run(process.execPath, [path])
  if (status !== 0) throw new Error(output)
}

const waiting = process.argv.includes('--all') ? whole : quick
await Promise.all([lane(), lane()])

/** Takes one command after the other, until none is left. */
async function lane() {
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const [name, command, ...args] = next
    const { status, output } = await run(command, args)
    if (status === 0) console.log(`✔ ${name}`)
    else {
      console.error(`✖ ${name}\n${output}`)
      process.exitCode = 1
    }
  }
}

function run(command: string, args: string[]): Promise<{ status: number; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (output += text))
    }
    child.on('error', reject)
    child.on('close', (status) => resolve({ status: status ?? 1, output }))
  })
}
