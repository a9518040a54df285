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
