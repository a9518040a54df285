import type { Bundle, Trigger, ZObject } from 'zapier-platform-core'
import { addressOf } from './auth.ts'
import { catalogue } from './catalogue.ts'
import type { Dropdown } from './model.ts'

type Item = { [name: string]: unknown }

/** Hidden triggers that fill the dropdowns of forms: `list_user.id.label`. */
export const dropdowns: { [key: string]: Trigger } = Object.fromEntries(
  Object.entries(catalogue.dropdowns).map(([name, dropdown]) => {
    const key = `list_${name}`
    const words = name.replaceAll('_', ' ')
    const label = words.replace(/\b\w/g, (letter) => letter.toUpperCase())
    const trigger: Trigger = {
      key,
      noun: label,
      display: {
        label: `List of ${label}`,
        description: `Fills the dropdown of ${words}.`,
        hidden: true,
      },
      operation: {
        type: 'polling',
        perform: (z: ZObject, bundle: Bundle) => itemsOf(dropdown, z, bundle),
        sample: { id: '1', label: `A ${words}` },
      },
    }
    return [key, trigger]
  }),
)

async function itemsOf(dropdown: Dropdown, z: ZObject, bundle: Bundle) {
  const { after, restricts, path, query, at, value, label } = dropdown
  const chosen = after ? String(bundle.inputData[after] ?? '') : ''
  // part of another record, which has not been chosen yet
  if (path.includes('{') && !chosen) return []
  const url = addressOf(bundle) + path.replace(/\{\w+\}/, encodeURIComponent(chosen))
  const response = await z.request({ url, params: query })
  const items = (response.data as { [at: string]: Item[] })[at] ?? []
  return items
    .filter((item) => !restricts || !after || !chosen || item[after] === chosen)
    .map((item) => ({ id: String(item[value]), label: String(item[label]) }))
}
