/** The size of a file as people read it: 12 kB, 3.4 MB. */
export function fileSize(bytes: number, locale: string): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const
  let at = 0
  let size = bytes
  while (size >= 1000 && at < units.length - 1) {
    size /= 1000
    at += 1
  }
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: units[at] ?? 'byte',
    unitDisplay: at === 0 ? 'long' : 'short',
    maximumFractionDigits: size < 10 && at > 0 ? 1 : 0,
  }).format(size)
}

/** Which sort of file a document is, for its icon. */
export function kindOf({
  file_type: type,
  file_name: name,
}: {
  file_type: string | null
  file_name: string | null
}): 'image' | 'text' | 'table' | 'file' {
  if (type?.startsWith('image/')) return 'image'
  if (name && /\.(csv|tsv|xlsx?|ods|numbers)$/i.test(name)) return 'table'
  // a document without a file is written here
  if (!name || type?.startsWith('text/') || /\.(pdf|docx?|odt|md|rtf|pages)$/i.test(name))
    return 'text'
  return 'file'
}
