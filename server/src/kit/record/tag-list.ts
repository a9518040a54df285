import { composed } from '../ground/composed.ts'

/**
 * Tags as a record stores them: in one form of Unicode, without the blanks around them, without blank ones, and each
 * once, whatever its case; the first spelling stays. What is no text is left to the check of the body.
 */
export function distinctTags<Tag>(tags: readonly Tag[]): (Tag | string)[] {
  const found = new Map<unknown, Tag | string>()
  for (const tag of tags) {
    const word = typeof tag === 'string' ? composed(tag.trim()) : tag
    const key = typeof word === 'string' ? word.toLowerCase() : word
    if (key !== '' && !found.has(key)) found.set(key, word)
  }
  return [...found.values()]
}

/** Tags without those that `removed` names, whatever their case. */
export function tagsWithout(tags: readonly string[], removed: readonly string[]): string[] {
  const words = new Set(removed.map((tag) => composed(tag.trim()).toLowerCase()))
  return tags.filter((tag) => !words.has(tag.trim().toLowerCase()))
}
