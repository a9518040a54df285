import { spawn } from 'node:child_process'

/**
 * Runs the tests that need the platforms' own packages, which an install of the server does not include: installs
 * them in their folders, compiles both connectors, loads the n8n nodes with the real n8n-workflow, runs
 * n8n's linter, tests both against a server, the conformance scenarios of MCP, and installs what is published. Works offline once the
 * packages are in npm's cache.
 */
const n8n = 'connectors/n8n'
const zapier = 'connectors/zapier'
const mcp = 'connectors/mcp'

const install = ['npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline']
await Promise.all([n8n, `${n8n}/lint`, zapier, mcp].map((folder) => run(folder, install)))
await run(n8n, ['npm', 'run', 'build'])
await run(n8n, ['node', '-e', loadAll()], 'the compiled nodes load')
await run(n8n, [
  'node',
  'lint/node_modules/eslint/bin/eslint.js',
  '-c',
  'lint/eslint.config.js',
  '.',
])
await run(zapier, ['npm', 'run', 'build'])
await run(zapier, ['node', '-e', "import('./dist/index.js')"], 'the compiled app loads')
const tests = ['n8n', 'zapier', 'mcp', 'packages'].map((name) => `connectors/test/${name}.test.ts`)
await run('.', ['node', 'server/test/run.ts', ...tests], 'all play against a server')

/** A program that loads every class of the n8n package as n8n does. */
function loadAll(): string {
  return `const { n8n } = require('./package.json')
    for (const path of [...n8n.nodes, ...n8n.credentials]) {
      const name = path.split('/').at(-1).split('.')[0]
      const made = new (require('./' + path)[name])()
      if (!made.description && !made.displayName) throw new Error(path + ' says nothing')
    }`
}

/** Runs a command; if it fails, prints its output and stops. */
async function run(
  cwd: string,
  [program = '', ...args]: string[],
  name = [program, ...args].slice(0, 3).join(' '),
) {
  const env = { ...process.env, CI_CONNECTORS: 'required' }
  const start = performance.now()
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  }
  const status = await new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  const seconds = ((performance.now() - start) / 1000).toFixed(0)
  if (status === 0) return console.log(`✔ ${cwd}: ${name} (${seconds} s)`)
  console.error(`✖ ${cwd}: ${name}\n${output}`)
  process.exit(1)
}
