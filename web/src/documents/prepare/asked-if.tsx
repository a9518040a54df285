import { Choice } from '../../ui/choice.tsx'
import { Field } from '../../ui/field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import type { Condition, Placed } from './preparation.ts'
import { compares, decidingFor, kinds } from './preparation.ts'
import { t } from '../../locales/text.ts'

const always = ''
const ticked = [
  { value: 'filled', label: t('is ticked') },
  { value: 'empty', label: t('is not ticked') },
]
const written = [
  { value: 'filled', label: t('is filled in') },
  { value: 'empty', label: t('is empty') },
  { value: 'equals', label: t('is [comparison]') },
  { value: 'differs', label: t('is not') },
]

/** When a field is asked for: always, or by what stands in another field of the same recipient. */
export function AskedIf({
  field,
  fields,
  onChange,
}: {
  field: Placed
  fields: Placed[]
  onChange: (field: Placed) => void
}) {
  const { show_if, ...rest } = field
  const deciding = decidingFor(field, fields)
  if (!deciding.length) return null
  const of = deciding.find(({ key }) => key === show_if?.field)
  const options = deciding.map(({ key, label, kind, page }) => ({
    value: key,
    label: t('{label}, page {page}', { label: label.trim() || kinds[kind].label, page }),
  }))
  const set = (condition: Partial<Condition>) =>
    onChange({ ...rest, show_if: { field: '', operator: 'filled', ...show_if, ...condition } })
  const choose = (key: string | null) => {
    if (!key) onChange(rest)
    else onChange({ ...rest, show_if: { field: key, operator: 'filled' } })
  }
  return (
    <>
      <Field label={t('Asked only if')}>
        <Choice
          value={of?.key ?? always}
          options={[{ value: always, label: t('Always') }, ...options]}
          onChange={choose}
        />
      </Field>
      {of && show_if ? (
        <Field label={t('Condition')}>
          <Choice
            value={show_if.operator}
            options={of.kind === 'checkbox' ? ticked : written}
            onChange={(operator) =>
              set({ operator: (operator ?? 'filled') as Condition['operator'] })
            }
          />
        </Field>
      ) : null}
      {of && show_if && compares(show_if) ? (
        <Field label={t('Value')}>
          {of.kind === 'choice' ? (
            <Choice
              value={show_if.value || null}
              options={(of.options ?? []).map((each) => ({
                value: each.trim(),
                label: each.trim(),
              }))}
              onChange={(value) => set({ value: value ?? '' })}
            />
          ) : (
            <TextField
              value={show_if.value ?? ''}
              maxLength={500}
              onChange={(value) => set({ value })}
            />
          )}
        </Field>
      ) : null}
    </>
  )
}
