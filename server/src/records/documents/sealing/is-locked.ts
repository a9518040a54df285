import { readFile } from 'node:fs/promises'
import { PDF, SecurityError } from '@libpdf/core'

/** Whether a PDF is encrypted in a way that the empty password does not open. */
export async function isLocked({ path }: { path: string }): Promise<boolean> {
  try {
    const pdf = await PDF.load(await readFile(path))
    return pdf.isEncrypted && !pdf.isAuthenticated
  } catch (error) {
    // others are broken, which is no reason to refuse them
    return error instanceof SecurityError
  }
}
