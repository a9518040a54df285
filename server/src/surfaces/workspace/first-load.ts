import { dirname } from 'node:path'
import { Failure } from '../../kit/ground/errors.ts'
import type { Context } from '../../kit/ground/context.ts'
import type { Language } from '../../model/languages/language.ts'
import { manifestIn } from '../../workspace/manifest.ts'
import { modules } from '../application/modules.ts'

// The document of a list or a record's page contains what it needs first: the description of the module, and
// the addresses of its scripts, which are then loaded together with the first script instead of after it.

/** Modules whose screens have another path than their name: `/calendar` belongs to the server. */
const addresses: { [first: string]: string } = { meetings: 'calendar' }

/** The answer of `GET /api/modules/{module}/`, if the path belongs to a module that its reader may read. */
export async function moduleOf(ctx: Context, path: string): Promise<unknown> {
  const [, first = ''] = path.split('/')
  if (!first) return null
  try {
    return await modules.described(ctx, addresses[first] ?? first)
  } catch (error) {
    if (error instanceof Failure && error.status === 404) return null
    throw error
  }
}

/** The addresses of the scripts of the page at a module's path. `text` is the document. */
export async function codeOf(document: string, text: string, path: string): Promise<string[]> {
  const manifest = await manifestIn(dirname(document))
  const isList = path.split('/').filter(Boolean).length === 1
  const files = new Set<string>()
  const visit = (source: string) => {
    const { file = '', imports = [] } = manifest[source] ?? {}
    if (!file || files.has(file)) return
    files.add(file)
    imports.forEach(visit)
  }
  // the build names its scripts: see `scripts` of `web/vite.config.ts`
  const wanted = isList ? 'list' : 'record'
  visit(Object.keys(manifest).find((key) => manifest[key]?.name === wanted) ?? '')
  // the document itself already names those of the first script
  return [...files].map((file) => `/${file}`).filter((file) => !text.includes(`"${file}"`))
}

/** The address of the texts of the screens in a language, which run before the screens do; undefined for English. */
export async function textsOf(document: string, language: Language): Promise<string | undefined> {
  const part = (await manifestIn(dirname(document)))[`src/locales/${language}.json`]
  return part && `/${part.file}`
}
