import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ApiDocument } from './join.ts'
import { modelOf } from './join.ts'
import { printMake } from './make/print.ts'

/**
 * Generates the files of the connectors that are not handwritten, from the catalogue and the API document.
 * They are not committed: `npm ci` and `npm run check` make them.
 */
const here = new URL('./', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, here), 'utf8')

const printed = printAll()
const surplus = globSync('make/app/**/*.*', { cwd: fileURLToPath(here) }).filter(
  (path) => !(path in printed),
)
for (const path of surplus) rmSync(new URL(path, here))
for (const [path, text] of Object.entries(printed)) {
  const file = fileURLToPath(new URL(path, here))
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

/** The text of every generated file by its path. */
function printAll(): { [path: string]: string } {
  const document = JSON.parse(read('../docs/api/openapi.json')) as ApiDocument
  const model = modelOf(document)
  const files: { [path: string]: string } = {}
  for (const folder of ['n8n/nodes', 'zapier']) {
    for (const name of ['model.ts', 'changes.ts', 'coerce.ts', 'custom.ts', 'address.ts']) {
      files[`${folder}/${name}`] = `// printed from connectors/${name}\n${read(name)}`
    }
    files[`${folder}/catalogue.ts`] =
      `// printed by connectors/build.ts from the catalogue and the API document\n` +
      `import type { Model } from './model.ts'\n\n` +
      `export const catalogue: Model = ${JSON.stringify(model, null, 2)}\n`
  }
  for (const name of ['perennial.svg', 'perennial.dark.svg']) {
    files[`n8n/icons/${name}`] = read(`icons/${name}`)
  }
  for (const [path, text] of Object.entries(printMake(model))) files[`make/app/${path}`] = text
  return files
}
