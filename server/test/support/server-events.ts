/** One part of a stream of server-sent events. */
export type ServerEvent = { id?: string; event?: string; data: any }

/** The parts of a stream of events as they come; comments are passed over. */
export async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true })
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const part = text.slice(0, end)
      text = text.slice(end + 2)
      if (!part.startsWith(':')) yield eventIn(part)
    }
  }
}

/** The events of a stream that has ended. */
export function eventsIn(text: string): ServerEvent[] {
  const parts = text.split('\n\n').filter((part) => part && !part.startsWith(':'))
  return parts.map(eventIn)
}

function eventIn(part: string): ServerEvent {
  const line = (name: string) =>
    part
      .split('\n')
      .find((each) => each.startsWith(`${name}: `))
      ?.slice(name.length + 2)
  const data = line('data')
  return { id: line('id'), event: line('event'), data: data ? JSON.parse(data) : undefined }
}
