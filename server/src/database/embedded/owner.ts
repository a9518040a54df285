import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { dirname } from 'node:path'
import { EmbeddedError } from './failure.ts'

/** The system user that runs PostgreSQL; undefined: the one that runs us. */
export type Owner = { uid: number; gid: number; name: string } | undefined

/** PostgreSQL refuses to run as root. A cluster keeps the owner it has. */
export function ownerOf(cluster: string): Owner {
  if (!isRoot()) return undefined
  const users = knownUsers()
  const owned = fs.existsSync(cluster) && fs.statSync(cluster)
  if (owned && owned.uid !== 0) {
    const { uid, gid } = owned
    return { uid, gid, name: users.find((user) => user.uid === uid)?.name ?? String(uid) }
  }
  for (const name of ['postgres', '_postgres', 'nobody']) {
    const user = users.find((user) => user.name === name && user.uid !== 0)
    if (user) return user
  }
  throw new EmbeddedError(
    'PostgreSQL refuses to run as root and there is no user "postgres" or "nobody": ' +
      'start as an ordinary user, or set DATABASE_URL.',
  )
}

/** Runs a command to its end. */
export function runAs(owner: Owner, command: string, args: string[], input?: string) {
  const done = spawnSync(command, args, { ...runningAs(owner), input, encoding: 'utf8' })
  if ((done.error as NodeJS.ErrnoException | undefined)?.code === 'EPERM' && owner) {
    throw new EmbeddedError(
      `PostgreSQL refuses to run as root and this process may not become "${owner.name}": ` +
        `start as an ordinary user, or set DATABASE_URL.`,
    )
  }
  return done
}

/** Options to spawn with: our PGDATA, our locale or our working folder must not get in the way. */
export function runningAs(owner: Owner) {
  const env = { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }
  // Node wants signed numbers here and unsigned ones for chown.
  const ids = owner && { uid: owner.uid | 0, gid: owner.gid | 0 }
  return { ...ids, cwd: '/', env }
}

/** The outermost folder on the way to `folder` (itself included) that the user cannot enter. */
export function blockedAt(folder: string, owner: Owner) {
  const way = [folder]
  while (dirname(way[0]!) !== way[0]) way.unshift(dirname(way[0]!))
  const script = 'for each do cd "$each" 2>/dev/null || { printf %s "$each"; exit; }; done'
  return runAs(owner, '/bin/sh', ['-c', script, 'sh', ...way]).stdout
}

/** Makes the folder and those above it; as root so that the other user can pass, whatever our umask. */
export function makeFolder(folder: string) {
  const made = fs.mkdirSync(folder, { recursive: true })
  if (!made || !isRoot()) return
  for (let each = folder; each.length >= made.length; each = dirname(each)) {
    fs.chmodSync(each, 0o711)
  }
}

/** A folder that only root can write in: nobody else can have put programs there. */
export function openSystemDir(systemDir: string, owner: NonNullable<Owner>) {
  makeFolder(systemDir)
  checkTrusted(systemDir)
  const blocked = blockedAt(systemDir, owner)
  if (!blocked) return
  throw new EmbeddedError(
    `PostgreSQL runs as "${owner.name}", who cannot enter "${blocked}": ` +
      `allow it (chmod o+x "${blocked}"), start as an ordinary user, or set DATABASE_URL.`,
  )
}

/** That nobody but root can have changed what is in the folder. */
export function checkTrusted(path: string) {
  const { uid, mode } = fs.lstatSync(path)
  if (uid === 0 && !(mode & 0o022)) return
  throw new EmbeddedError(
    `"${path}" must belong to root and be writable by nobody else: ` +
      `look who wrote in it, then chown root "${path}" && chmod 755 "${path}".`,
  )
}

function isRoot() {
  return process.getuid?.() === 0
}

function knownUsers() {
  const file = '/etc/passwd'
  const lines = fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\n') : []
  return lines.map((line) => {
    const [name = '', , uid, gid] = line.split(':')
    // macOS writes nobody as -2.
    return { name, uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 }
  })
}
