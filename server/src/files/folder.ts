import { constants } from 'node:fs'
import { access, copyFile, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import type { Files } from '../kit/ground/files.ts'
import { NoSuchFile } from '../kit/ground/files.ts'

/** Files in a local folder, each under its key. */
export function folderFiles(root: string): Files {
  const pathOf = (key: string) => {
    if (!/^[\w-]+(\/[\w.-]+)*$/.test(key) || key.includes('..')) throw new Error('not a key')
    return join(root, ...key.split('/'))
  }
  return {
    kind: 'folder',
    async check() {
      await mkdir(root, { recursive: true, mode: 0o700 })
      await access(root, constants.R_OK | constants.W_OK | constants.X_OK)
    },
    async put(key, path) {
      const place = pathOf(key)
      await mkdir(dirname(place), { recursive: true, mode: 0o700 })
      // written to a temporary file first, so that a name appears with all of its bytes, or not at all
      const part = `${place}.part`
      try {
        await copyFile(path, part)
        await synced(part)
        await rename(part, place)
        await synced(dirname(place))
      } catch (error) {
        await rm(part, { force: true })
        throw error
      }
    },
    async get(key, range) {
      const file = await open(pathOf(key)).catch((error: NodeJS.ErrnoException) => {
        throw error.code === 'ENOENT' ? new NoSuchFile(key) : error
      })
      return file.createReadStream(range)
    },
    async remove(key) {
      await rm(pathOf(key), { force: true })
    },
    async *list(prefix) {
      const entries = await readdir(join(root, prefix), {
        recursive: true,
        withFileTypes: true,
      }).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return []
        throw error
      })
      for (const entry of entries) {
        if (!entry.isFile()) continue
        const path = join(entry.parentPath, entry.name)
        const found = await stat(path).catch(() => undefined)
        const key = relative(root, path).split(sep).join('/')
        if (found) yield { key, storedAt: found.mtime }
      }
    },
  }
}

/** Flushes to disk, so that a power failure does not lose what was written. */
async function synced(path: string) {
  const file = await open(path, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}
