import { accessSync, constants, existsSync, statSync, statfsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Config } from '../../config.ts'
import { readProvision } from '../../provision.ts'
import { sentenceOf } from '../failure.ts'
import type { Finding } from './finding.ts'

/** The version of Node.js that runs this. */
export function nodeVersion(): Finding {
  const major = Number(process.versions.node.split('.')[0])
  const check = 'Node.js'
  if (major >= 24) return { check, state: 'ok', seen: process.versions.node }
  const advice = 'Node.js 24 or newer is needed; npm scripts bring their own'
  return { check, state: 'fail', seen: process.versions.node, advice }
}

/** Whether the data folder can be written, has room, and keeps its secrets from other users. */
export function dataFolder({ dataDir }: Config): Finding[] {
  const check = 'data folder'
  const folder = resolve(dataDir)
  let there = folder
  while (!existsSync(there)) there = dirname(there)
  try {
    if (!statSync(there).isDirectory()) throw new Error('is a file, not a folder')
    accessSync(there, constants.W_OK | constants.X_OK)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    const seen = `${there} ${code ? `cannot be written (${code})` : (error as Error).message}`
    return [{ check, state: 'fail', seen, advice: 'give it to this user, or set DATA_DIR' }]
  }
  const { bavail, bsize } = statfsSync(there)
  const megabytes = Math.round((bavail * bsize) / 1e6)
  const state = megabytes < 100 ? 'fail' : megabytes < 1000 ? 'warn' : 'ok'
  const open = ['secret.key', 'demo.json', 'postgres.json'].filter((name) => {
    const file = join(folder, name)
    return existsSync(file) && (statSync(file).mode & 0o077) !== 0
  })
  return [
    { check, state: 'ok', seen: folder === there ? folder : `${folder} (not created yet)` },
    {
      check: 'free space',
      state,
      seen: `${megabytes} MB`,
      ...(state === 'ok' ? {} : { advice: 'make room, or set DATA_DIR to another disk' }),
    },
    ...open.map((name): Finding => {
      const advice = `chmod 600 "${join(folder, name)}"`
      return { check: name, state: 'warn', seen: 'other users of this machine can read it', advice }
    }),
  ]
}

/** Whether PROVISION_FILE can be read and is valid; nothing without one. */
export function provisionFile({ provisionFile: file }: Config): Finding[] {
  if (!file) return []
  const check = 'provision file'
  try {
    const { organizations } = readProvision(file)
    return [{ check, state: 'ok', seen: `${file}, ${organizations.length} organizations` }]
  } catch (error) {
    return [
      { check, state: 'fail', seen: sentenceOf(error) ?? String(error), advice: 'correct it' },
    ]
  }
}
