import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

// Generates clients of the API document with three generators, and type-checks each under every strict
// flag. The packages are this folder's own: `npm ci` here first; without them nothing is checked.

const folder = dirname(fileURLToPath(import.meta.url))
const document = join(folder, '../docs/api/openapi.json')
const out = join(folder, 'generated')
const modules = join(folder, 'node_modules')

if (!existsSync(join(modules, 'typescript'))) {
  console.log(
    'The generators are not installed (`npm ci` in test-clients/): their clients are skipped.',
  )
  process.exit(process.env.CI_CLIENTS === 'required' ? 1 : 0)
}

rmSync(out, { recursive: true, force: true })
mkdirSync(out, { recursive: true })
cpSync(document, join(out, 'openapi.json'))

const node = (...args: string[]) =>
  execFileSync(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })

const generators: { [name: string]: () => void } = {
  'openapi-typescript'() {
    const target = join(out, 'openapi-typescript/schema.d.ts')
    node(join(modules, 'openapi-typescript/bin/cli.js'), document, '-o', target)
    refuseUnknown(target)
    use(
      'openapi-typescript',
      `import type { components, operations, paths } from './schema'
export type Company = components['schemas']['Company']
export type Draft = components['schemas']['CompanyCreate']
export const draft: Draft = { company_name: 'Acme', custom_fields: { tier: 'gold', seats: 12 } }
// @ts-expect-error a company needs a name
export const nameless: Draft = { domain: 'acme.example' }
export type Listed = paths['/automation/users']['get']['responses'][200]['content']['application/json']
export const codeOf = (error: components['schemas']['Error']): string => error.code
export type Subscribe = operations['subscribe']['requestBody']
export function label({ priority, owner, sub_items }: components['schemas']['Task']): string {
  const open = sub_items.filter((each) => !each.is_completed).length
  return [priority?.label, owner?.full_name, open].join(' ')
}
// @ts-expect-error a task has no such field
export const wrong = (task: components['schemas']['Task']) => task.no_such_field
export type Query = paths['/api/project/info/']['get']['parameters']['query']
`,
    )
  },
  'hey-api'() {
    const bin = join(modules, '@hey-api/openapi-ts/bin/run.js')
    const target = join(out, 'hey-api')
    node(bin, '-i', document, '-o', target, '-c', '@hey-api/client-fetch', '--silent')
  },
  orval() {
    const target = join(out, 'orval/client.ts')
    node(
      join(modules, 'orval/dist/bin/orval.js'),
      '-i',
      document,
      '-o',
      target,
      '--client',
      'fetch',
    )
  },
}

/**
 * Generators that copy a runtime of their own beside what they make of the document: its files, and the
 * flag that it does without, whatever the document says.
 */
const runtimes: { [name: string]: { files: RegExp; options: object } } = {
  'hey-api': {
    files: /hey-api\/(client|core)\//,
    options: { exactOptionalPropertyTypes: false },
  },
}

for (const [name, generate] of Object.entries(generators)) {
  const begun = Date.now()
  try {
    generate()
    check(name)
    console.log(`✔ ${name} (${((Date.now() - begun) / 1000).toFixed(1)} s)`)
  } catch (error) {
    const {
      stdout = '',
      stderr = '',
      message,
    } = error as { stdout?: Buffer; stderr?: Buffer; message: string }
    console.error(
      `✖ ${name}: ${message.slice(0, 300)}\n${String(stdout).slice(0, 5000)}${String(stderr).slice(0, 3000)}`,
    )
    process.exitCode = 1
  }
}

/** Throws where an object has no known properties. */
function refuseUnknown(target: string) {
  const lines = readFileSync(target, 'utf8').split('\n')
  // the generator itself adds definitions that are not in the document in this form
  const unknown = lines.filter(
    (line) => line.includes('Record<string, never>') && !line.includes('type $defs'),
  )
  if (unknown.length) throw new Error(`objects without properties: ${unknown.join('\n')}`)
}

/** A few uses of what was generated, beside it. */
function use(name: string, text: string) {
  writeFileSync(join(out, name, 'use.ts'), text)
}

/** Throws where anything that is made of the document fails a flag. */
function check(name: string) {
  const runtime = runtimes[name]
  const errors = compile(name, {}).filter((line) => !runtime?.files.test(line))
  const others = runtime ? compile(name, runtime.options) : []
  const all = [...errors, ...others]
  if (all.length) throw new Error(`${all.length} errors of types: ${all.slice(0, 5).join('\n')}`)
}

/** The errors of a compiler under every flag of `tsconfig.json`, but for these options. */
function compile(name: string, compilerOptions: object): string[] {
  const path = join(out, name, 'tsconfig.json')
  const config = { extends: '../../tsconfig.json', compilerOptions, include: ['./**/*.ts'] }
  writeFileSync(path, JSON.stringify(config))
  try {
    node(join(modules, 'typescript/bin/tsc'), '-p', path, '--pretty', 'false')
    return []
  } catch (error) {
    const { stdout } = error as { stdout?: Buffer }
    const lines = String(stdout).split('\n')
    const errors = lines.filter((line) => /error TS\d+/.test(line))
    if (!errors.length) throw error
    return errors
  }
}
