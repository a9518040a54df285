import type { Module } from '../../data/modules.ts'
import { fieldOf } from '../../data/modules.ts'
import type { View } from '../../data/views.ts'
import { t } from '../../locales/text.ts'

/** What a view names that is gone since: custom fields, and options of fields. Each in words, once. */
export function goneIn(module: Module, view: View): string[] {
  const found = new Set<string>()
  const check = (name: string, value?: unknown) => {
    const field = fieldOf(module, name)
    if (!field) {
      if (name.startsWith('custom_fields.')) {
        found.add(t('the field “{name}”', { name: name.slice('custom_fields.'.length) }))
      }
      return
    }
    const isChosen = ['select', 'multi_select'].includes(field.type) && field.options.length > 0
    if (!isChosen) return
    const known = new Set(field.options.flatMap(({ value: word, label }) => [word, label]))
    for (const one of [value].flat()) {
      if (typeof one === 'string' && !known.has(one))
        found.add(t('“{option}” of {label}', { option: one, label: field.label }))
    }
  }
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(visit)
    if (typeof node !== 'object' || node === null) return
    const { field, operator, value } = node as { [key: string]: unknown }
    if (typeof field !== 'string') return Object.values(node).forEach(visit)
    check(field, ['eq', 'neq', 'in', 'not_in'].includes(String(operator)) ? value : undefined)
  }
  visit(view.conditions)
  for (const name of [...(view.sort ?? '').split(','), ...view.columns]) {
    check(name.replace(/^[-+]/, ''))
  }
  return [...found]
}
