import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { distFolder } from './stamp.ts'

/** A part of what the build writes about its files, by the sources that they are made of. */
type Part = { file: string; name?: string; imports?: string[] }
export type Manifest = { [source: string]: Part }

let read: { path: string; modified: number; manifest: Manifest } | undefined

/** The files of the build in a folder, read again when another has replaced it; empty without one. */
export async function manifestIn(folder = distFolder): Promise<Manifest> {
  const path = join(folder, '.vite/manifest.json')
  try {
    const { mtimeMs: modified } = await stat(path)
    if (read?.path !== path || read.modified !== modified) {
      read = { path, modified, manifest: JSON.parse(await readFile(path, 'utf8')) as Manifest }
    }
    return read.manifest
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw error
  }
}

/** The address of the built file of a source, by the end of its path; undefined if there is none. */
export async function builtFile(source: string): Promise<string | undefined> {
  const manifest = await manifestIn()
  const key = Object.keys(manifest).find((each) => each.endsWith(source))
  return key && `/${manifest[key]?.file}`
}
