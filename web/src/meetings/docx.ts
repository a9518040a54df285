import { unzipped } from './unzipped.ts'

const names = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'

/** The text of a Word document (Office Open XML), a line for each paragraph and break; undefined for any other file. */
export async function textOfDocument(file: Blob): Promise<string | undefined> {
  const xml = await unzipped(file, 'word/document.xml')
  if (xml === undefined) return undefined
  const document = new DOMParser().parseFromString(xml, 'application/xml')
  const lines = [...document.getElementsByTagNameNS(names, 'p')].map((paragraph) =>
    [...paragraph.getElementsByTagNameNS(names, '*')].map(textOf).join(''),
  )
  return lines.join('\n')
}

function textOf({ localName, textContent }: Element): string {
  if (localName === 't') return textContent ?? ''
  if (localName === 'tab') return '\t'
  return localName === 'br' || localName === 'cr' ? '\n' : ''
}
