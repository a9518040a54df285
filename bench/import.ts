import { setTimeout as sleep } from 'node:timers/promises'

type Numbers = {
  rows: number
  upload: number
  seconds: number
  undo: number
  exported: number
  memory: number
  p50: number
  p99: number
}

/**
 * Imports `rows` contacts over HTTP, undoes that, and exports all, while one reader requests a contact
 * every 20 ms. Measures the seconds of each, the maximum MiB of resident memory above idle, and the milliseconds of the reads.
 */
export async function measureImport(
  app: string,
  headers: { [name: string]: string },
  { ids, rows }: { ids: string[]; rows: number },
): Promise<Numbers> {
  const csv = csvOf(rows)
  // otherwise the start of the process would count as a stall
  await sleep(3000)
  // requested twice: the first time creates the collectors
  await memoryOf(app)
  const idle = await memoryOf(app)
  let peak = idle
  let isDone = false
  const watching = (async () => {
    while (!isDone) {
      peak = Math.max(peak, await memoryOf(app))
      await sleep(100)
    }
  })()
  const times: number[] = []
  const reading = (async () => {
    for (let i = 0; !isDone; i++) {
      const begun = performance.now()
      const reply = await fetch(`${app}/api/contact/${ids[i % ids.length]}/`, { headers })
      if (!reply.ok) throw new Error(`a read answered ${reply.status}: ${await reply.text()}`)
      await reply.arrayBuffer()
      times.push(performance.now() - begun)
      await sleep(20)
    }
  })()
  // whatever goes wrong, nothing may continue in the background
  const stop = async () => {
    isDone = true
    await Promise.all([watching, reading])
  }
  const form = new FormData()
  form.set('module', 'contacts')
  form.set('file', new Blob([csv]), 'contacts.csv')
  const begun = performance.now()
  const { import_id } = await ask('POST', '/api/imports/', form)
  const upload = since(begun)
  const started = performance.now()
  await ask('POST', `/api/imports/${import_id}/start/`)
  const end = await ended()
  const seconds = since(started)
  if (end.created !== rows) throw new Error(`the import ended as ${JSON.stringify(end)}`)
  await stop()
  const exporting = performance.now()
  const reply = await fetch(`${app}/api/contact/export/`, { headers })
  for await (const _piece of reply.body!) peak = Math.max(peak, idle)
  const exported = since(exporting)
  const undoing = performance.now()
  await ask('POST', `/api/imports/${import_id}/undo/`)
  const { undone } = await ended()
  if (undone !== rows) throw new Error(`${undone} of ${rows} were undone`)
  const undo = since(undoing)
  times.sort((a, b) => a - b)
  const at = (part: number) => times[Math.floor(times.length * part)]!
  const memory = (peak - idle) / 1024 / 1024
  return { rows, upload, seconds, undo, exported, memory, p50: at(0.5), p99: at(0.99) }

  async function ended() {
    for (;;) {
      const found = await ask('GET', `/api/imports/${import_id}/`)
      if (!['running', 'undoing'].includes(String(found.status))) return found
      await sleep(100)
    }
  }

  async function ask(method: string, path: string, body?: FormData) {
    const answer = await fetch(app + path, { method, headers, body })
    if (!answer.ok) {
      await stop()
      throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
    }
    return (await answer.json()) as { [name: string]: unknown }
  }
}

function csvOf(rows: number): string {
  let csv = 'Full name,Email,Company domain,Job title,Phone,Lead status,Tags,Tier,City\r\n'
  const run = Date.now().toString(36)
  for (let i = 0; i < rows; i++) {
    csv +=
      `Ada Import ${i},ada.${run}.${i}@import.test,company${1 + (i % 500)}.test,` +
      `"Head of Things, Department ${i % 40}",+44 20 7946 ${1000 + (i % 9000)},qualified,vip; newsletter,gold,London\r\n`
  }
  return csv
}

async function memoryOf(app: string): Promise<number> {
  const text = await (await fetch(`${app}/metrics`)).text()
  return Number(/^process_resident_memory_bytes (\S+)/m.exec(text)![1])
}

function since(begun: number): number {
  return (performance.now() - begun) / 1000
}
