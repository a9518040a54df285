import type { Database } from './connect.ts'

/** PostgreSQL takes 8,000 bytes of a notification. */
const mostBytes = 7900

/**
 * Sends names, such as ids of organizations, to every process that listens on a channel: those of `ms`
 * milliseconds in as few NOTIFYs as they fit into. Never in the transaction of a write, since from
 * before its flush to disk a commit with a NOTIFY makes all others of the database wait. Names have no
 * spaces; names that are lost with a connection or a process must be found by the listeners themselves.
 */
export function namesSender(
  { notify }: Pick<Database, 'notify'>,
  channel: string,
  ms: number,
): (name: string) => void {
  const gathered = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  const send = () => {
    timer = undefined
    const payloads = joined(gathered)
    gathered.clear()
    for (const payload of payloads) notify(channel, payload).catch(() => {})
  }
  return (name) => {
    gathered.add(name)
    timer ??= setTimeout(send, ms).unref()
  }
}

/** Calls back with each name that is sent on a channel, and with null if some may have been missed. */
export function onNames(
  { listen }: Pick<Database, 'listen'>,
  channel: string,
  named: (name: string | null) => void,
): void {
  listen(channel, (payload) => {
    for (const name of payload?.split(' ') ?? [null]) named(name)
  })
}

/** Names with spaces between them, in texts that a notification takes. */
function joined(names: Iterable<string>): string[] {
  const texts: string[] = []
  let text = ''
  for (const name of names) {
    if (text && text.length + 1 + name.length > mostBytes) {
      texts.push(text)
      text = name
    } else text += text ? ` ${name}` : name
  }
  if (text) texts.push(text)
  return texts
}
