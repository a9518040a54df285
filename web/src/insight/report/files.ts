import { csvLine, harmless } from '../../../../server/src/model/sheets/csv-text.ts'
import { api } from '../../api/client.ts'
import { t } from '../../locales/text.ts'

/** Saves rows of texts as a CSV file that spreadsheets read as UTF-8, and says so in the activity log. */
export function saveCsv(name: string, rows: string[][]): void {
  // whoever may not write there has the file all the same
  const body = { title: t('Exported {name} as CSV', { name }).slice(0, 255) }
  void api.post('/api/activity/log/', { body, idempotencyKey: crypto.randomUUID() }).catch(() => {})
  const lines = rows.map((row) => csvLine(row.map(cellText)))
  // a byte order mark, without which Excel reads another encoding
  save(name, 'csv', new Blob([`\u{feff}${lines.join('')}`], { type: 'text/csv' }))
}

/** What a spreadsheet would take for a formula is text there, but a number stays one. */
function cellText(text: string): string {
  return /^-?\d+(\.\d+)?$/.test(text) ? text : harmless(text)
}

const margin = 16

/** Saves a chart with its sentence and the names of its series as a PNG, twice as large as it is shown. */
export async function savePicture(name: string, element: HTMLElement): Promise<void> {
  const drawing = element.querySelector('svg')
  const rows = element.querySelector<HTMLElement>('figure ol')
  const drawn = drawing ?? rows
  if (!drawn) return
  const { width, height } = drawn.getBoundingClientRect()
  const style = getComputedStyle(element)
  const names = drawing ? [...element.querySelectorAll('li')] : []
  const lines = Math.ceil(names.length / 3)
  const canvas = document.createElement('canvas')
  const size = { width: width + 2 * margin, height: height + 3 * margin + 24 + lines * 20 }
  canvas.width = 2 * size.width
  canvas.height = 2 * size.height
  const paper = canvas.getContext('2d')
  if (!paper) return
  paper.scale(2, 2)
  paper.fillStyle = getComputedStyle(document.body).backgroundColor
  paper.fillRect(0, 0, size.width, size.height)
  paper.fillStyle = style.color
  paper.font = `600 14px ${style.fontFamily}`
  paper.fillText(element.querySelector('figcaption')?.textContent ?? '', margin, margin + 12)
  if (drawing) paper.drawImage(await pictureOf(drawing), margin, margin + 24, width, height)
  else if (rows) drawRows(paper, rows)
  paper.font = `12px ${style.fontFamily}`
  for (const [at, item] of names.entries()) {
    const mark = item.querySelector('i')
    const x = margin + (at % 3) * (width / 3)
    const y = height + margin + 44 + Math.floor(at / 3) * 20
    paper.fillStyle = mark ? getComputedStyle(mark).backgroundColor : style.color
    paper.fillRect(x, y - 9, 10, 10)
    paper.fillStyle = style.color
    paper.fillText(item.textContent ?? '', x + 16, y, width / 3 - 20)
  }
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve))
  if (blob) save(name, 'png', blob)
}

/** Draws bars that lie as they are shown: their names, the bars and what stands beside them. */
function drawRows(paper: CanvasRenderingContext2D, rows: HTMLElement): void {
  const whole = rows.getBoundingClientRect()
  for (const part of rows.querySelectorAll<HTMLElement>('li > *, [data-mark]')) {
    const { left, top, width, height } = part.getBoundingClientRect()
    const x = left - whole.left + margin
    const y = top - whole.top + margin + 24
    const style = getComputedStyle(part)
    if (part.matches('[data-mark]')) {
      paper.fillStyle = style.backgroundColor
      paper.fillRect(x, y, width, height)
    } else if (!part.querySelector('[data-mark]')) {
      paper.fillStyle = style.color
      paper.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`
      const isAtEnd = style.textAlign === 'end' || style.textAlign === 'right'
      paper.textAlign = isAtEnd ? 'right' : 'left'
      paper.fillText(part.textContent ?? '', isAtEnd ? x + width : x, y + height / 2 + 4, width)
      paper.textAlign = 'left'
    }
  }
}

/** What of the style sheets a drawing by itself needs. */
const drawnBy = ['fill', 'stroke', 'stroke-width', 'opacity', 'fill-opacity', 'font', 'text-anchor']

async function pictureOf(drawing: SVGSVGElement): Promise<HTMLImageElement> {
  const copy = drawing.cloneNode(true) as SVGSVGElement
  const copies = [...copy.querySelectorAll<SVGElement>('*')]
  for (const [at, original] of drawing.querySelectorAll('*').entries()) {
    const style = getComputedStyle(original)
    for (const property of drawnBy)
      copies[at]?.style.setProperty(property, style.getPropertyValue(property))
  }
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
  const text = new XMLSerializer().serializeToString(copy)
  const image = new Image()
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`
  await image.decode()
  return image
}

function save(name: string, ending: string, blob: Blob): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = `${name.replace(/[\\/:*?"<>|]/g, ' ').trim() || 'report'}.${ending}`
  link.click()
  // the browser has taken the file by then
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
