/** The files of this session's uploads: another sheet of a workbook is read from the same file. */
const files = new Map<string, File>()

export function rememberFile(importId: string, file: File): void {
  files.set(importId, file)
}

/** The file of an import, where it was chosen in this tab. */
export function fileOf(importId: string): File | undefined {
  return files.get(importId)
}
