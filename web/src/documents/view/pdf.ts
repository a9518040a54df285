import type { PageViewport, PDFDocumentProxy } from 'pdfjs-dist'
import { getDocument, PDFWorker, TextLayer, version } from 'pdfjs-dist'

/** A size in points, as a page is seen: turned and cut as it says. */
export type Size = { width: number; height: number }

/** A PDF that is open. Its pages are read by ranges, when they are shown. */
export type OpenPdf = {
  pages: number
  /** the size of the first page, which the others are taken to have until they are read */
  first: Size
  sizeOf(page: number): Promise<Size>
  /** the size of a page that was read, of others that of the first */
  known(page: number): Size
  draw(page: number, scale: number, signal: AbortSignal): Promise<Drawn>
  /** the words of a page with their places, as parts of its width and height */
  wordsOf(page: number): Promise<PlacedText[]>
  /** where a written document has places for signatures, by whose they are, with the page of each */
  places(): Promise<(PlacedText & { page: number })[]>
  close(): void
}

/** A page as a picture, its text in front of it, and whether it has any. */
export type Drawn = { picture: HTMLCanvasElement; text: HTMLElement; hasText: boolean }

/** A piece of a page's text, with its place as parts of the page. */
export type PlacedText = { text: string; x: number; y: number; width: number; height: number }

/** Why a file cannot be shown: it wants a password, or it is no PDF that can be read. */
export type Unreadable = 'password' | 'wrong_password' | 'damaged' | 'missing'

/** The largest picture of a page, in pixels: larger ones are drawn coarser. */
const mostPixels = 16_000_000

/** What pdf.js reads besides the file: tables of old encodings, the fonts that every reader has, decoders of pictures. */
const data = import.meta.env.DEV ? '/node_modules/pdfjs-dist/' : `/assets/pdfjs-${version}/`

/** Opens the PDF at an address. Throws an `UnreadablePdf`. */
export async function openPdf(url: string, password?: string): Promise<OpenPdf> {
  const worker = new Worker(new URL('./pdf-worker.ts', import.meta.url), { type: 'module' })
  const task = getDocument({
    url: new URL(url, location.href).href,
    ...(password === undefined ? {} : { password }),
    worker: PDFWorker.create({ port: worker }),
    cMapUrl: `${data}cmaps/`,
    standardFontDataUrl: `${data}standard_fonts/`,
    wasmUrl: `${data}wasm/`,
    // the policy allows no WebAssembly
    useWasm: false,
    disableAutoFetch: true,
    disableStream: true,
    disableWorkerRendering: true,
  })
  const close = () => {
    void task.destroy().finally(() => worker.terminate())
  }
  try {
    const document = await task.promise
    const sizes = new Map<number, Size>()
    const sizeOf = async (page: number) => {
      const { width, height } = (await document.getPage(page)).getViewport({ scale: 1 })
      sizes.set(page, { width, height })
      return { width, height }
    }
    const first = await sizeOf(1)
    return {
      pages: document.numPages,
      first,
      sizeOf,
      known: (page) => sizes.get(page) ?? first,
      draw: (page, scale, signal) => draw(document, page, scale, signal),
      wordsOf: (page) => wordsOf(document, page),
      places: () => placesIn(document),
      close,
    }
  } catch (error) {
    close()
    throw new UnreadablePdf(reasonOf(error, password !== undefined), { cause: error })
  }
}

/** A PDF that cannot be shown, and why. */
export class UnreadablePdf extends Error {
  readonly reason: Unreadable

  constructor(reason: Unreadable, options: ErrorOptions) {
    super(`The PDF cannot be shown: ${reason}`, options)
    this.reason = reason
  }
}

function reasonOf(error: unknown, hadPassword: boolean): Unreadable {
  const { name = '', status } = error as { name?: string; status?: number }
  if (name === 'PasswordException') return hadPassword ? 'wrong_password' : 'password'
  return name === 'ResponseException' || status !== undefined ? 'missing' : 'damaged'
}

async function draw(
  pdf: PDFDocumentProxy,
  number: number,
  scale: number,
  signal: AbortSignal,
): Promise<Drawn> {
  const page = await pdf.getPage(number)
  const viewport = page.getViewport({ scale })
  const fits = Math.sqrt(mostPixels / (viewport.width * viewport.height))
  const ratio = Math.min(devicePixelRatio, fits)
  const picture = document.createElement('canvas')
  picture.width = Math.max(1, Math.floor(viewport.width * ratio))
  picture.height = Math.max(1, Math.floor(viewport.height * ratio))
  signal.throwIfAborted()
  const drawing = page.render({
    canvas: picture,
    viewport,
    ...(ratio === 1 ? {} : { transform: [ratio, 0, 0, ratio, 0, 0] }),
  })
  signal.addEventListener('abort', () => drawing.cancel(), { once: true })
  await drawing.promise
  const text = document.createElement('div')
  const layer = new TextLayer({
    textContentSource: page.streamTextContent(),
    container: text,
    viewport,
  })
  await layer.render()
  signal.throwIfAborted()
  return { picture, text, hasText: layer.textContentItemsStr.some((each) => each.trim() !== '') }
}

async function wordsOf(pdf: PDFDocumentProxy, number: number): Promise<PlacedText[]> {
  const page = await pdf.getPage(number)
  const viewport = page.getViewport({ scale: 1 })
  const { items } = await page.getTextContent()
  return items.flatMap((item) => {
    if (!('str' in item) || !item.str.trim()) return []
    const [, , , , x = 0, y = 0] = item.transform as number[]
    const corners = [x, y, x + item.width, y + item.height]
    return [{ text: item.str, ...within(viewport, corners) }]
  })
}

/** Places are destinations of these names, in the order of the text. */
const placeName = /^place\.(\d+)\.(.*)$/s

async function placesIn(pdf: PDFDocumentProxy) {
  const found = [...(await pdf.getDestinations())].flatMap(([name, fit]) => {
    const [, at, whose = ''] = placeName.exec(name) ?? []
    return at === undefined ? [] : [{ at: Number(at), text: decodeURIComponent(whose), fit }]
  })
  const placed = found
    .toSorted((one, other) => one.at - other.at)
    .map(async ({ text, fit }) => {
      const [ref, , ...corners] = fit as [
        Parameters<PDFDocumentProxy['getPageIndex']>[0],
        unknown,
        ...number[],
      ]
      const page = (await pdf.getPageIndex(ref)) + 1
      const viewport = (await pdf.getPage(page)).getViewport({ scale: 1 })
      return { text, page, ...within(viewport, corners) }
    })
  return Promise.all(placed)
}

/** A rectangle by two of its corners in a page's own space, as parts of the page. */
function within(viewport: PageViewport, [x1 = 0, y1 = 0, x2 = 0, y2 = 0]: number[]) {
  const one = viewport.convertToViewportPoint(x1, y1)
  const other = viewport.convertToViewportPoint(x2, y2)
  const [left = 0, top = 0, right = 0, bottom = 0] = [...one, ...other] as number[]
  return {
    x: Math.min(left, right) / viewport.width,
    y: Math.min(top, bottom) / viewport.height,
    width: Math.abs(right - left) / viewport.width,
    height: Math.abs(bottom - top) / viewport.height,
  }
}
