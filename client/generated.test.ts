import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'

// The API document is good if the client that a generator makes from it is: every object has its
// properties, and enumerations have names.

const here = import.meta.dirname
const folder = mkdtempSync(join(tmpdir(), 'perennial-client-'))
const generated = join(folder, 'perennial.d.ts')
after(() => rmSync(folder, { recursive: true, force: true }))

function run(program: string, ...args: string[]) {
  const options = { encoding: 'utf8', cwd: here } as const
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(here, 'node_modules', program), ...args],
    options,
  )
  assert.equal(status, 0, stdout + stderr)
}

test('a client generated from the API document knows the properties of every object', () => {
  run('openapi-typescript/bin/cli.js', join(here, '../docs/api/openapi.json'), '-o', generated)
  const lines = readFileSync(generated, 'utf8').split('\n')
  const unknown = lines.flatMap((line, i) =>
    // the generator itself adds definitions that are not in the document in this form
    line.includes('Record<string, never>') && !line.includes('type $defs')
      ? [`${i + 1}: ${line.trim()}`]
      : [],
  )
  assert.deepEqual(unknown, [])
})

test('its types check, and say what callers rely on', () => {
  const used = join(folder, 'use.ts')
  writeFileSync(
    used,
    `import type { components, paths } from './perennial.d.ts'

type Task = components['schemas']['Task']
type Deals = paths['/api/project/info/']['get']

export function label({ priority, owner, sub_items }: Task): string {
  const open = sub_items.filter((each) => !each.is_completed).length
  return [priority?.label, owner?.full_name, open].join(' ')
}

// @ts-expect-error a task has no such field
export const wrong = (task: Task) => task.no_such_field

export type Query = Deals['parameters']['query']
`,
  )
  const compilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: false,
    allowImportingTsExtensions: true,
    target: 'es2022',
    module: 'nodenext',
    types: [],
  }
  const project = join(folder, 'tsconfig.json')
  writeFileSync(project, JSON.stringify({ compilerOptions, files: [used] }))
  run('typescript/bin/tsc', '-p', project)
})
