import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Failure } from '../../kit/ground/errors.ts'
import type { Context } from '../../kit/ground/context.ts'
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

/** A part of the manifest that the build writes beside the document. */
type Part = { file: string; name?: string; imports?: string[] }
type Manifest = { [source: string]: Part }
let built: { document: string; text: string; manifest: Manifest } | undefined

/** The addresses of the scripts of the page at a module's path. `text` is the document. */
export async function codeOf(document: string, text: string, path: string): Promise<string[]> {
  // one build has one document
  if (built?.document !== document || built.text !== text) {
    built = { document, text, manifest: await readManifest(document) }
  }
  const { manifest } = built
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

/** Empty in development, where Vite serves the modules one by one. */
async function readManifest(document: string): Promise<Manifest> {
  try {
    const path = join(dirname(document), '.vite/manifest.json')
    return JSON.parse(await readFile(path, 'utf8')) as Manifest
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw error
  }
}
