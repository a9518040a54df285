import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * A temporary folder for a data folder. PostgreSQL runs as another user where the caller is root, and its
 * data is kept elsewhere, and stays there, unless that user may enter.
 */
export function temporaryFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `perennial-${name}-`))
  chmodSync(folder, 0o755)
  return folder
}
