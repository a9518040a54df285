import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * A temporary data folder. If the caller is root, PostgreSQL runs as another user, and its
 * data would be stored elsewhere, and stay there, unless that user may enter the folder.
 */
export function temporaryFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `perennial-${name}-`))
  chmodSync(folder, 0o755)
  return folder
}
