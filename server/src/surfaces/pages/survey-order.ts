import { createHash } from 'node:crypto'
import type { FormField, Page } from '../../model/forms/form-parts.ts'

/**
 * Pages in the order in which one respondent sees them, and their questions with their choices in theirs: what stands
 * at random is in the same order for the same `seed`. Pages change places only with those next to them.
 */
export function inOrder(pages: Page[], seed: string): Page[] {
  const ordered: Page[] = []
  let together: Page[] = []
  for (const page of pages) {
    if (!page.random_order) {
      ordered.push(...shuffled(together, seed), page)
      together = []
    } else together.push(page)
  }
  ordered.push(...shuffled(together, seed))
  return ordered.map((page) => ({
    ...page,
    fields: page.fields.map((each) => fieldIn(each, seed)),
  }))
}

function fieldIn(field: FormField, seed: string): FormField {
  if (!field.random_options || !field.options) return field
  const named = field.options.map((option) => ({ id: `${field.id} ${option.value}`, option }))
  return { ...field, options: shuffled(named, seed).map(({ option }) => option) }
}

function shuffled<T extends { id: string }>(of: T[], seed: string): T[] {
  const keyed = of.map((each) => ({ each, key: hash(`${seed} ${each.id}`) }))
  return keyed.toSorted((a, b) => (a.key < b.key ? -1 : 1)).map(({ each }) => each)
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
