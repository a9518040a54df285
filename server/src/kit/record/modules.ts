/** The one table that turns a module's number into its word and back. */
export const modules = {
  tasks: 1,
  projects: 2,
  deals: 3,
  companies: 4,
  contacts: 5,
  documents: 6,
  surveys: 7,
  accounts: 8,
  users: 9,
  milestones: 10,
  meetings: 11,
  templates: 12,
} as const

const byNumber = new Map<number, string>(
  Object.entries(modules).map(([word, number]) => [number, word]),
)

const others: { [word: string]: string } = { company: 'companies', calendar: 'meetings' }

/** A module by number, digits, word or singular word → its number; undefined when unknown. */
export function moduleNumber(value: unknown): number | undefined {
  const text = String(value).trim().toLowerCase()
  if (/^\d{1,9}$/.test(text)) return byNumber.has(+text) ? +text : undefined
  const plural = Object.hasOwn(others, text) ? others[text]! : text
  const words = modules as { [word: string]: number }
  const word = [plural, `${plural}s`].find((each) => Object.hasOwn(words, each))
  return word ? words[word] : undefined
}

/** The word of a module's number. */
export function moduleWord(number: number): string | undefined {
  return byNumber.get(number)
}
