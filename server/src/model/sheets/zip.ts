import type { SAXParser } from 'sax'
import sax from 'sax'
import type { Entry, ZipFile } from 'yauzl'
import { openPromise } from 'yauzl'
import { badField } from '../../kit/ground/errors.ts'

/** The maximum number of parts of a file: Excel writes some dozens. */
const mostEntries = 5000
/** The maximum unpacked bytes of all parts that are read: 100 MiB of CSV are about 500 as XML. */
const mostBytes = 768 * 1024 * 1024

/** An open Office Open XML file: its parts by name, each read as a stream. */
export type Package = {
  names: string[]
  /** the unpacked bytes of a part; 0 if it does not exist */
  sizeOf(name: string): number
  /** Reads a part element by element; does nothing if it does not exist. */
  read(name: string, on: Handlers): Promise<void>
  close(): void
}

type Attributes = { [name: string]: string }
export type Handlers = {
  open?(name: string, attributes: Attributes): void
  text?(text: string): void
  close?(name: string): void
}

/**
 * Opens a local zip file. 400 if it is none, is encrypted or too large: the sizes that the
 * parts declare are added up first, and no part may turn out larger than it declares.
 */
export async function openPackage(path: string): Promise<Package> {
  const entries = new Map<string, Entry>()
  let zip: ZipFile
  try {
    zip = await openPromise(path, { autoClose: false, lazyEntries: true })
  } catch {
    throw unreadable()
  }
  try {
    for await (const entry of zip.eachEntry()) {
      entries.set(entry.fileName.replace(/^\//, ''), entry)
      if (entries.size > mostEntries) throw badField('file', `has more than ${mostEntries} parts`)
    }
  } catch (error) {
    zip.close()
    throw isOurs(error) ? error : unreadable()
  }
  let left = mostBytes
  return {
    names: [...entries.keys()],
    sizeOf: (name) => entries.get(name)?.uncompressedSize ?? 0,
    close: () => zip.close(),
    async read(name, on) {
      const entry = entries.get(name)
      if (!entry) return
      left -= entry.uncompressedSize
      if (left < 0) throw tooLarge()
      try {
        await parse(await zip.openReadStreamPromise(entry), on)
      } catch (error) {
        throw isOurs(error) ? error : unreadable()
      }
    },
  }
}

/** 400 for a file that is larger, unpacked, than a spreadsheet may be. */
export function tooLarge() {
  return badField('file', `has more than ${mostBytes / 1024 / 1024} MiB, unpacked: split it`)
}

function unreadable() {
  return badField('file', 'cannot be read as .xlsx: it is damaged, encrypted or of another kind')
}

function isOurs(error: unknown): boolean {
  return typeof (error as { status?: unknown }).status === 'number'
}

/** An XML parser that accepts only the five predefined entities, and no document type. */
async function parse(bytes: AsyncIterable<Buffer>, on: Handlers): Promise<void> {
  const parser: SAXParser = sax.parser(true, { position: false })
  parser.onopentag = ({ name, attributes }) =>
    on.open?.(local(name), attributes as unknown as Attributes)
  parser.onclosetag = (name) => on.close?.(local(name))
  parser.ontext = (text) => on.text?.(text)
  parser.oncdata = (text) => on.text?.(text)
  parser.onerror = (error) => {
    throw error
  }
  const decoder = new TextDecoder('utf-8')
  for await (const chunk of bytes) parser.write(decoder.decode(chunk, { stream: true }))
  parser.write(decoder.decode()).close()
}

/** The name of an element without its prefix, which some programs write. */
function local(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}
