/** Saves rows of texts as a CSV file that spreadsheets read as UTF-8. */
export function saveCsv(name: string, rows: string[][]): void {
  const lines = rows.map((row) => row.map(quoted).join(','))
  // a byte order mark, without which Excel reads another encoding
  save(name, 'csv', new Blob([`\u{feff}${lines.join('\r\n')}\r\n`], { type: 'text/csv' }))
}

/** A text as CSV has it; what a spreadsheet would take for a formula is text there. */
function quoted(text: string): string {
  const isFormula = /^'*[=+\-@\t\r\n＝＋－＠]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text)
  const safe = isFormula ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

const margin = 16

/** Saves a chart with its sentence and the names of its series as a PNG, twice as large as it is shown. */
export async function savePicture(name: string, element: HTMLElement): Promise<void> {
  const drawing = element.querySelector('svg')
  if (!drawing) return
  const { width, height } = drawing.getBoundingClientRect()
  const style = getComputedStyle(element)
  const names = [...element.querySelectorAll('li')]
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
  paper.drawImage(await pictureOf(drawing), margin, margin + 24, width, height)
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
