import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { atEnd } from './finally.ts'
import { freshFolder } from './program.ts'
import { until } from './until.ts'

/** Why there is no CalDAV server for a test; false where Radicale is installed. */
export function noRadicale(): string | false {
  const { status } = spawnSync('radicale', ['--version'])
  return status === 0 ? false : 'needs Radicale (apt-get install radicale)'
}

/** A CalDAV server with one calendar, and a program of its user that writes to it directly. */
export type Dav = {
  /** the address of the server, as its user knows it */
  url: string
  account: string
  password: string
  /** the texts of the events in the calendar by their names */
  all(): Promise<Map<string, string>>
  /** their names, and the text of one */
  names(): Promise<string[]>
  get(name: string): Promise<string>
  put(name: string, text: string): Promise<void>
  remove(name: string): Promise<void>
  /** forgets what it knows about synchronization, as a server that was restored does */
  forget(): Promise<void>
}

/** Starts Radicale with calendars of these names on a free port; it stops when the test file is done. */
export async function startRadicale(calendars = ['work']): Promise<Dav> {
  const [account, password] = ['anna', 'radish']
  const folder = freshFolder()
  const port = await freePort()
  writeFileSync(join(folder, 'users'), `${account}:${password}\n`)
  const config = join(folder, 'config')
  writeFileSync(
    config,
    `[server]
hosts = 127.0.0.1:${port}
ssl = False
[auth]
type = htpasswd
htpasswd_filename = ${join(folder, 'users')}
htpasswd_encryption = plain
delay = 0
[storage]
filesystem_folder = ${join(folder, 'collections')}
[logging]
level = error
`,
  )
  const child = spawn('radicale', ['--config', config], { stdio: 'ignore' })
  const ended = once(child, 'exit')
  atEnd(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const url = `http://127.0.0.1:${port}/`
  const authorization = `Basic ${btoa(`${account}:${password}`)}`
  const send = (method: string, path: string, body?: string, type = 'text/calendar') =>
    fetch(url + path, {
      method,
      headers: { authorization, 'content-type': `${type}; charset=utf-8` },
      ...(body === undefined ? {} : { body }),
    })
  await until(() =>
    fetch(url).then(
      () => true,
      () => false,
    ),
  )
  const addressOf = (name: string) => `${account}/${encodeURIComponent(name.slice(0, 20))}/`
  for (const name of calendars) {
    const made = await send(
      'MKCALENDAR',
      addressOf(name),
      `<?xml version="1.0"?><C:mkcalendar xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:set><D:prop>
        <D:displayname>${name}</D:displayname></D:prop></D:set></C:mkcalendar>`,
      'application/xml',
    )
    if (made.status !== 201) throw new Error(`MKCALENDAR: ${made.status}`)
  }
  const first = addressOf(calendars[0]!)
  const expect = async (answer: Promise<Response>, ...statuses: number[]) => {
    const { status, ...rest } = await answer
    if (!statuses.includes(status)) throw new Error(`${status} ${JSON.stringify(rest)}`)
  }
  return {
    url,
    account,
    password,
    async all() {
      const answer = await send(
        'REPORT',
        first,
        `<?xml version="1.0"?><C:calendar-query xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav">
          <D:prop><C:calendar-data/></D:prop><C:filter><C:comp-filter name="VCALENDAR"/></C:filter></C:calendar-query>`,
        'application/xml',
      )
      const text = await answer.text()
      const found = text.matchAll(
        /<href>([^<]*)<\/href>[^]*?<C:calendar-data>([^]*?)<\/C:calendar-data>/g,
      )
      const plain = (part: string) =>
        part
          .replaceAll('&#13;', '\r')
          .replaceAll('&lt;', '<')
          .replaceAll('&gt;', '>')
          .replaceAll('&amp;', '&')
      return new Map(
        [...found].map(([, href = '', body = '']) => [
          decodeURIComponent(href.split('/').at(-1) ?? ''),
          plain(body),
        ]),
      )
    },
    async names() {
      const answer = await fetch(url + first, {
        method: 'PROPFIND',
        headers: { authorization, depth: '1' },
        body: '<?xml version="1.0"?><D:propfind xmlns:D="DAV:"><D:prop><D:getetag/></D:prop></D:propfind>',
      })
      const found = (await answer.text()).matchAll(/<href>[^<]*\/([^/<]+)<\/href>/g)
      return [...found].map(([, name = '']) => decodeURIComponent(name))
    },
    get: async (name) => (await send('GET', first + encodeURIComponent(name))).text(),
    put: (name, text) => expect(send('PUT', first + name, text), 201, 204),
    remove: (name) => expect(send('DELETE', first + name), 200, 204),
    async forget() {
      const { rmSync } = await import('node:fs')
      rmSync(join(folder, 'collections', 'collection-root', first, '.Radicale.cache'), {
        recursive: true,
        force: true,
      })
    },
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
