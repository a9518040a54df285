import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import openapiTS, { astToString } from 'openapi-typescript'
import type { ApiDocument } from '../../server/scripts/api-part.ts'
import { isOlder, usedBy } from '../../server/scripts/api-part.ts'

/**
 * Generates `src/api/schema.d.ts` from the API document: the application surface alone, with the answers
 * of success, as errors are one class here. Not committed; made again when the document is newer.
 */
const source = new URL('../../docs/api/openapi.json', import.meta.url)
const target = new URL('../src/api/schema.d.ts', import.meta.url)

if (process.argv.includes('--force') || isOlder(target, source)) {
  const document = JSON.parse(readFileSync(source, 'utf8')) as ApiDocument
  const types = await openapiTS(applicationOnly(document) as never, { alphabetize: false })
  mkdirSync(new URL('.', target), { recursive: true })
  writeFileSync(fileURLToPath(target), astToString(types))
}

function applicationOnly(document: ApiDocument): ApiDocument {
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
