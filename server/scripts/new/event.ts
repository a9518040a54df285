import { before, change, checked, recordNamed } from './edit.ts'

/** An event of a record, which an operation announces. */
export const event = {
  usage: 'event tasks archived "A task was archived"',
  write(words: string[]): string[] {
    const [of = '', done = ''] = checked(words, 2)
    const summary = words[2]
    if (!summary) throw new Error('say in a sentence what happened')
    const { file, name, word } = recordNamed(of)
    const line = `        ${word}_${done}: { summary: ${JSON.stringify(summary)} },\n`
    change(file, (text) => {
      const start = text.indexOf(`export const ${name}`)
      const rest = text.slice(start)
      const end = rest.search(/^ {2}\},$/m)
      const head = rest.slice(0, end)
      const kinds = `      kinds: {\n${line}      },\n`
      const known = head.includes('\n      kinds: {\n')
        ? head.replace('\n      kinds: {\n', (found) => found + line)
        : head.replace(/^ {4}events: \{\n/m, (found) => found + kinds)
      const made =
        known === head
          ? before(rest, / {2}\},$/, `    events: {\n${kinds}    },\n`)
          : known + rest.slice(end)
      return text.slice(0, start) + made
    })
    return [
      `the operation that announces it: announce(ctx, ${name}, '${word}_${done}', { … })`,
      'its name in server/src/webhooks/catalogue.test.ts, its label in connectors/triggers.ts',
      'npm run openapi && npm run connectors, and a line in CHANGELOG.md',
    ]
  },
}
