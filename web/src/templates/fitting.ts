import { foldedText } from '../../../server/src/kit/ground/fold.ts'
import type { Template, TemplateUsage } from '../data/templates.ts'
import { outlineOf } from './outline.ts'

/** A template with whether something says that it fits: words that it shares, or projects made from it. */
export type Fitting = { template: Template; fits: boolean }

/**
 * Templates with the most fitting ones first: by the words that they share with what is to be made (those of their names
 * count three times those of their descriptions and milestones), the default one, and then by the projects made from them.
 */
export function byFit(
  templates: Template[],
  about: string,
  usage: readonly TemplateUsage[] = [],
): Fitting[] {
  const wanted = wordsOf(about)
  const used = new Map(usage.map(({ template_id, n, running }) => [template_id, n + running]))
  const overlap = (text: string) => wordsOf(text).intersection(wanted).size
  return templates
    .map((template) => {
      const { template_id, template_name, description, is_default, is_predefined } = template
      const names = outlineOf(template).milestones.map(({ name }) => name)
      const text = [description ?? '', ...names].join(' ')
      const words = wanted.size ? 3 * overlap(template_name) + overlap(text) : 0
      const uses = used.get(template_id) ?? 0
      return { template, words, uses, is_default, is_predefined, fits: words > 0 || uses > 0 }
    })
    .toSorted(
      (one, other) =>
        other.words - one.words ||
        Number(other.is_default) - Number(one.is_default) ||
        other.uses - one.uses ||
        Number(one.is_predefined) - Number(other.is_predefined),
    )
    .map(({ template, fits }) => ({ template, fits }))
}

/** The words of a text of three letters or more, without their common endings. */
function wordsOf(text: string): Set<string> {
  const words = foldedText(text).match(/[\p{L}\p{N}]{3,}/gu) ?? []
  return new Set(words.map((word) => word.replace(/(ing|ed|es|s)$/, '')))
}
