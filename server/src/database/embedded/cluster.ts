import * as fs from 'node:fs'
import { join } from 'node:path'
import { EmbeddedError } from './failure.ts'
import type { Owner } from './owner.ts'

/** Whether the folder holds a whole cluster; see initdb.ts for why there are no half ones. */
export function isCluster(cluster: string) {
  return (
    fs.existsSync(join(cluster, 'PG_VERSION')) && fs.existsSync(join(cluster, 'global/pg_control'))
  )
}

/** Refuses what PostgreSQL would refuse, in words; gives a cluster that belongs to root to its owner. */
export function checkCluster(cluster: string, owner: Owner) {
  const found = fs.statSync(cluster, { throwIfNoEntry: false })
  if (!found) return
  if (!found.isDirectory()) {
    throw new EmbeddedError(
      `"${cluster}" is a file where the database's folder should be: move it away.`,
    )
  }
  if (!owner && found.uid !== process.getuid?.()) {
    throw new EmbeddedError(
      `The database in "${cluster}" belongs to another user (${found.uid}): ` +
        'start as that user or as root, or set DATA_DIR to another folder.',
    )
  }
  fs.accessSync(cluster, fs.constants.R_OK | fs.constants.W_OK)
  if (!isCluster(cluster) && fs.readdirSync(cluster).length > 0) {
    throw new EmbeddedError(
      `"${cluster}" is not empty and not a complete PostgreSQL cluster: restore it from a backup, ` +
        `or move it away to begin with an empty database.`,
    )
  }
  // A restored backup often belongs to root.
  if (owner && found.uid === 0) chownTree(cluster, owner)
  if (found.mode & 0o027) fs.chmodSync(cluster, 0o700)
}

/** PostgreSQL cannot open the files of another major version. */
export function checkMajor(cluster: string, version: string) {
  if (!isCluster(cluster)) return
  const theirs = fs.readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim()
  const ours = version.split('.')[0]
  if (theirs === ours) return
  throw new EmbeddedError(
    `The database in "${cluster}" is of PostgreSQL ${theirs}, the embedded one is ${ours}: ` +
      `dump it with PostgreSQL ${theirs} and restore it into a new DATA_DIR, ` +
      `or run PostgreSQL ${theirs} and set DATABASE_URL.`,
  )
}

/** Gives the folder and all in it to a user. */
export function chownTree(path: string, owner: { uid: number; gid: number }) {
  fs.lchownSync(path, owner.uid, owner.gid)
  if (!fs.lstatSync(path).isDirectory()) return
  for (const name of fs.readdirSync(path)) chownTree(join(path, name), owner)
}
