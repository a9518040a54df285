import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The credentials of a demonstration organization, as shown to its creator. */
export type Demo = {
  organization_id: string
  name: string
  /** the administrator; everybody has the same password */
  email: string
  password: string
  people: { email: string; role: string; full_name: string }[]
  app: { client_id: string; client_secret: string; function_key: string; redirect_uri: string }
  made: {
    companies: number
    contacts: number
    changes: number
    deals: number
    projects: number
    surveys: number
    meetings: number
    documents: number
    users: number
  }
}

/** The demonstrations of a data folder, the newest last, and the last known address of the server. */
export type Demos = { url: string | null; demos: Demo[] }

/** Reads the demonstrations; none if there is no file or nothing usable in it. */
export function readDemos(dataDir: string): Demos {
  const file = fileIn(dataDir)
  if (!existsSync(file)) return { url: null, demos: [] }
  try {
    const { url, demos } = JSON.parse(readFileSync(file, 'utf8')) as Demos
    return { url, demos }
  } catch {
    return { url: null, demos: [] }
  }
}

/** Stores the demonstrations, readable only by this user; a crash leaves the old file or the new one. */
export function writeDemos(dataDir: string, demos: Demos): void {
  // with the operator's own database nothing else may have created the folder
  mkdirSync(dataDir, { recursive: true })
  const file = fileIn(dataDir)
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  writeFileSync(draft, `${JSON.stringify(demos, null, 2)}\n`, { mode: 0o600, flush: true })
  renameSync(draft, file)
}

function fileIn(dataDir: string): string {
  return join(dataDir, 'demo.json')
}
