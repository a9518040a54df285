import { statSync } from 'node:fs'

/** Whether a generated file does not exist, or is older than what it is made of. */
export function isOlder(made: URL, source: URL): boolean {
  const stat = statSync(made, { throwIfNoEntry: false })
  return !stat || stat.mtimeMs < statSync(source).mtimeMs
}

/** The parts of the API document that generators of types read. */
export type ApiDocument = {
  paths: { [path: string]: { [method: string]: { responses?: { [status: string]: unknown } } } }
  webhooks?: { [event: string]: unknown }
  components: Components
}

type Components = { [kind: string]: { [name: string]: unknown } }

/** The components that `part` of the document refers to, and those that these refer to. */
export function usedBy(part: unknown, components: Components): Components {
  const used: Components = {}
  const waiting = [JSON.stringify(part)]
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
