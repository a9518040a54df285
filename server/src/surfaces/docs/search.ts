import type { GuideGroup } from './guides.ts'
import type { ReferencePage } from './operations.ts'

/** Something that search finds. */
export type Entry = { title: string; about: string; url: string; text: string }

/** The maximum length of a query that is used. */
export const mostLetters = 100
const mostWords = 8
const mostResults = 20

/** Everything that can be found: sections of guides, and operations. */
export function entriesOf(groups: GuideGroup[], pages: ReferencePage[]): Entry[] {
  const guides = groups.flatMap((group) => group.guides)
  return [
    ...guides.flatMap(({ name, title, sections }) =>
      sections.map((section) => ({
        title: section.title,
        about: section.id ? title : 'Guide',
        url: `/docs/guide/${name}${section.id ? `#${section.id}` : ''}`,
        text: section.text,
      })),
    ),
    ...pages.flatMap((page) =>
      page.operations.map(({ id, method, path, summary, description }) => ({
        title: summary || id,
        about: method === 'EVENT' ? `Event ${id}` : `${method} ${path}`,
        url: `/docs/reference/${page.name}#${id}`,
        text: `${id} ${id.replaceAll('_', ' ')} ${path} ${description}`,
      })),
    ),
  ].map((entry) => ({ ...entry, text: entry.text.toLowerCase() }))
}

/** The entries that contain every word of a query, the best first. */
export function found(entries: Entry[], question: string): Entry[] {
  const words = question
    .slice(0, mostLetters)
    .toLowerCase()
    .split(/[^\p{L}\p{N}_/{}-]+/u)
    .filter(Boolean)
    .slice(0, mostWords)
  if (!words.length) return []
  return entries
    .map((entry) => ({ entry, score: scoreOf(entry, words) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, mostResults)
    .map(({ entry }) => entry)
}

/** The score of a word: highest at the beginning of a title, then in the title, the summary, and the text. */
function scoreOf({ title, about, text }: Entry, words: string[]): number {
  const name = title.toLowerCase()
  let sum = about === 'Guide' ? 2 : 0
  for (const word of words) {
    const begins =
      name === word ? 20 : name.split(/\W+/).some((each) => each.startsWith(word)) ? 8 : 0
    const score =
      begins ||
      (name.includes(word) ? 5 : 0) ||
      (about.toLowerCase().includes(word) ? 4 : 0) ||
      (text.includes(word) ? 1 : 0)
    if (!score) return 0
    sum += score
  }
  return sum
}
