import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import openapiTS, { astToString } from 'openapi-typescript'

/**
 * Generates `src/api/schema.d.ts` from the API document: the application surface alone, with the answers
 * of success, as errors are one class here. Not committed; made again when the document is newer.
 */
const source = new URL('../../docs/api/openapi.json', import.meta.url)
const target = new URL('../src/api/schema.d.ts', import.meta.url)

type Document = {
  paths: { [path: string]: { [method: string]: { responses?: { [status: string]: unknown } } } }
  webhooks?: unknown
  components: { [kind: string]: { [name: string]: unknown } }
}

if (process.argv.includes('--force') || isOld()) {
  const document = JSON.parse(readFileSync(source, 'utf8')) as Document
  const types = await openapiTS(applicationOnly(document) as never, { alphabetize: false })
  mkdirSync(new URL('.', target), { recursive: true })
  writeFileSync(fileURLToPath(target), astToString(types))
}

function isOld(): boolean {
  const made = statSync(target, { throwIfNoEntry: false })
  return !made || made.mtimeMs < statSync(source).mtimeMs
}

function applicationOnly(document: Document): Document {
  const paths = Object.fromEntries(
    Object.entries(document.paths).filter(([path]) => path.startsWith('/api/')),
  )
  for (const item of Object.values(paths)) {
    for (const operation of Object.values(item)) {
      const { responses } = operation
      if (!responses) continue
      operation.responses = Object.fromEntries(
        Object.entries(responses).filter(([status]) => status.startsWith('2')),
      )
    }
  }
  const { webhooks: _, ...rest } = document
  return { ...rest, paths, components: usedBy(paths, document.components) }
}

/** The components that the paths refer to, and those that these refer to. */
function usedBy(paths: unknown, components: Document['components']): Document['components'] {
  const used: Document['components'] = {}
  const waiting = [JSON.stringify(paths)]
  for (let text = waiting.pop(); text; text = waiting.pop()) {
    for (const [, kind = '', name = ''] of text.matchAll(/#\/components\/(\w+)\/([\w.-]+)/g)) {
      const component = components[kind]?.[name]
      if (component === undefined || used[kind]?.[name]) continue
      used[kind] = { ...used[kind], [name]: component }
      waiting.push(JSON.stringify(component))
    }
  }
  const { securitySchemes = {} } = components
  return { ...used, securitySchemes }
}
