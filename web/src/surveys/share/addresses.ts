/** The e-mail addresses of a text, each once, and what is none; between them stand blanks, commas, semicolons or lines. */
export function addressesIn(text: string): { addresses: string[]; wrong: string[] } {
  const addresses = new Map<string, string>()
  const wrong: string[] = []
  for (const part of text.split(/[\s,;]+/)) {
    // "Ada Byron <ada@example.com>" has the address in brackets
    const word = part.replace(/^<|>$/g, '')
    if (!word.includes('@')) continue
    if (/^[^@]+@[^@]+\.[^@.]+$/.test(word)) {
      const key = word.toLowerCase()
      if (!addresses.has(key)) addresses.set(key, word)
    } else wrong.push(word)
  }
  return { addresses: [...addresses.values()], wrong }
}

/** A local time as the API reads it, in a zone: "2026-11-30T09:00:30". */
export function localTime(at: Date, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  }).formatToParts(at)
  const of = (type: string) => parts.find((part) => part.type === type)?.value ?? ''
  return `${of('year')}-${of('month')}-${of('day')}T${of('hour')}:${of('minute')}:${of('second')}`
}
