import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Condition } from '../../data/list.ts'
import type { Field as FieldDescription, Module } from '../../data/modules.ts'
import { fieldOf } from '../../data/modules.ts'
import type { Person } from '../../ui/avatar.tsx'
import { Choice } from '../../ui/choice.tsx'
import { Combobox } from '../../ui/combobox.tsx'
import { DateField } from '../../ui/date-field.tsx'
import { NumberField } from '../../ui/number-field.tsx'
import type { Option } from '../../ui/option.tsx'
import { PersonField } from '../../ui/person-field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { readTags, searchLinked, searchPeople } from '../field/choices.ts'
import { useQueries, useQuery } from '@tanstack/react-query'
import { nameQuery } from '../field/name-of.tsx'
import { TagsField } from '../../ui/tags-field.tsx'
import styles from './condition-editor.module.css'
import { needsValue, takesMany, wordsOf } from './words.ts'
import { t } from '../../locales/text.ts'

type Props = { module: Module; condition: Condition; onChange: (condition: Condition) => void }

/** A condition's operator and value. */
export default function ConditionEditor({ module, condition, onChange }: Props) {
  const field = fieldOf(module, condition.field)
  const editor = useRef<HTMLDivElement>(null)
  const [isNew] = useState(condition.value === undefined)
  useEffect(() => {
    // a new condition only lacks its value: focus the second control
    if (!isNew) return
    const controls = editor.current?.querySelectorAll<HTMLElement>(
      ':is([role=combobox], input):not([aria-hidden])',
    )
    controls?.[1]?.focus()
  }, [isNew])
  if (!field) return <p>{t('{field} is not a field any more.', { field: condition.field })}</p>
  const options = field.operators.map((operator) => ({
    value: operator,
    label: wordsOf(operator, field),
  }))
  return (
    <div ref={editor} className={styles.editor}>
      <p className={styles.name}>{field.label}</p>
      <Choice
        label={t('Condition')}
        value={condition.operator}
        options={options}
        onChange={(operator) => {
          if (!operator || operator === condition.operator) return
          const keeps =
            needsValue(operator) &&
            takesMany(operator) === takesMany(condition.operator) &&
            operator !== 'between' &&
            !operator.endsWith('x_days')
          onChange({ field: field.name, operator, ...(keeps ? { value: condition.value } : {}) })
        }}
      />
      {needsValue(condition.operator) ? (
        <ValueEditor
          // another operator may need another kind of value
          key={condition.operator}
          field={field}
          condition={condition}
          onChange={(value) => onChange({ ...condition, value })}
        />
      ) : null}
    </div>
  )
}

type ValueProps = {
  field: FieldDescription
  condition: Condition
  onChange: (value: unknown) => void
}

/** The value of a condition, by its field and operator. */
export function ValueEditor({ field, condition, onChange }: ValueProps) {
  const { operator, value } = condition
  const many = takesMany(operator)
  if (operator === 'between') {
    const [from, to] = (Array.isArray(value) ? value : [null, null]) as unknown[]
    return (
      <div className={styles.range}>
        <Single
          field={field}
          label={t('From')}
          value={from}
          onChange={(next) => onChange([next, to ?? null])}
        />
        <Single
          field={field}
          label={t('To')}
          value={to}
          onChange={(next) => onChange([from ?? null, next])}
        />
      </div>
    )
  }
  if (operator.endsWith('x_days')) {
    return (
      <NumberField
        label={t('Days')}
        integer
        min={1}
        value={typeof value === 'number' ? value : null}
        onChange={onChange}
      />
    )
  }
  if (field.type === 'user') return <People many={many} value={value} onChange={onChange} />
  if (field.type === 'reference' && field.reference?.path)
    return <Linked field={field} many={many} value={value} onChange={onChange} />
  if (field.look === 'tags') return <TagValues value={value} onChange={onChange} />
  if (field.options.length) {
    const options = field.options.map((each) => ({
      value: String(each.value),
      label: each.label,
      color: each.color,
    }))
    return many ? (
      <Choice
        label={t('Values')}
        multiple
        options={options}
        value={(Array.isArray(value) ? value : []).map(String)}
        onChange={onChange}
      />
    ) : (
      <Choice
        label={t('Value')}
        options={options}
        value={value === undefined || value === null ? null : String(value)}
        onChange={onChange}
      />
    )
  }
  if (many) {
    return (
      <Debounced
        label={t('Values, separated by commas')}
        value={(Array.isArray(value) ? value : []).join(', ')}
        onChange={(text) => onChange(text.split(',').flatMap((each) => each.trim() || []))}
      />
    )
  }
  return <Single field={field} label={t('Value')} value={value} onChange={onChange} />
}

function Single({
  field,
  label,
  value,
  onChange,
}: {
  field: FieldDescription
  label: string
  value: unknown
  onChange: (value: unknown) => void
}) {
  if (field.type === 'boolean') {
    return (
      <Choice
        label={label}
        value={value === undefined ? null : String(value)}
        options={[
          { value: 'true', label: t('Yes') },
          { value: 'false', label: t('No') },
        ]}
        onChange={(next) => onChange(next === 'true')}
      />
    )
  }
  if (['number', 'currency', 'percent', 'rating'].includes(field.type)) {
    return (
      <NumberField
        label={label}
        value={typeof value === 'number' ? value : null}
        onChange={onChange}
      />
    )
  }
  if (field.type === 'date' || field.type === 'datetime') {
    return (
      <DateField
        label={label}
        value={typeof value === 'string' ? value.slice(0, 10) : null}
        onChange={onChange}
      />
    )
  }
  return (
    <Debounced label={label} value={typeof value === 'string' ? value : ''} onChange={onChange} />
  )
}

/** Debounces typing, so that the list is not loaded for each letter; what was typed holds when it is left, too. */
function Debounced({
  label,
  value,
  onChange,
}: {
  label: string
  value: string
  onChange: (text: string) => void
}) {
  const [text, setText] = useState(value)
  const change = useEffectEvent(() => onChange(text))
  useEffect(() => {
    if (text === value) return
    const timer = setTimeout(change, 300)
    return () => clearTimeout(timer)
  }, [text, value])
  const settle = () => {
    if (text !== value) onChange(text)
  }
  // its editor is closed, such as by Escape, which the field is not told of
  const leave = useEffectEvent(settle)
  useEffect(() => () => leave(), [])
  return (
    <TextField
      label={label}
      placeholder={label}
      value={text}
      onChange={setText}
      autoFocus
      onBlur={settle}
    />
  )
}

type ManyProps = { many: boolean; value: unknown; onChange: (value: unknown) => void }
type PeopleProps = ManyProps & { label?: string; placeholder?: string }

/** Somebody or several, chosen by name and held by their ids. */
export function People({
  many,
  value,
  onChange,
  label = many ? t('People') : t('Person'),
  ...look
}: PeopleProps) {
  const [chosen, setChosen] = useState<Person[]>(() => idsIn(value).map((id) => ({ id, name: '' })))
  const names = useNames(
    '/api/users/profile/',
    'full_name',
    chosen.map(({ id }) => id),
  )
  const people = chosen.map((person, at) => ({
    ...person,
    name: person.name || (names[at] ?? '…'),
  }))
  const set = (next: Person[]) => {
    setChosen(next)
    onChange(many ? next.map(({ id }) => id) : (next[0]?.id ?? null))
  }
  return many ? (
    <PersonField
      {...look}
      label={label}
      multiple
      search={searchPeople}
      value={people}
      onChange={set}
    />
  ) : (
    <PersonField
      {...look}
      label={label}
      search={searchPeople}
      value={people[0] ?? null}
      onChange={(next) => set(next ? [next] : [])}
    />
  )
}

function Linked({ field, many, value, onChange }: ManyProps & { field: FieldDescription }) {
  const [chosen, setChosen] = useState<Option[]>(() =>
    idsIn(value).map((id) => ({ value: id, label: '' })),
  )
  const { path, title_field } = field.reference ?? {}
  const names = useNames(
    path,
    title_field,
    chosen.map((each) => each.value),
  )
  const shown = chosen.map((each, at) => ({ ...each, label: each.label || (names[at] ?? '…') }))
  const set = (next: Option[]) => {
    setChosen(next)
    onChange(many ? next.map((each) => each.value) : (next[0]?.value ?? null))
  }
  return many ? (
    <Combobox
      label={field.label}
      multiple
      load={searchLinked(field)}
      value={shown}
      onChange={set}
    />
  ) : (
    <Combobox
      label={field.label}
      load={searchLinked(field)}
      value={shown[0] ?? null}
      onChange={(next) => set(next ? [next] : [])}
    />
  )
}

/** The names of the chosen records, of which an address or a saved view has only the ids. */
function useNames(path: string | null | undefined, title: string | undefined, ids: string[]) {
  const found = useQueries({ queries: ids.map((id) => nameQuery(path, id)) })
  return found.map(({ data }, at) => {
    const name = data?.[title ?? 'name']
    return typeof name === 'string' ? name : ids[at] === 'me' ? t('Me') : undefined
  })
}

function TagValues({ value, onChange }: { value: unknown; onChange: (value: unknown) => void }) {
  const { data: options = [] } = useQuery({ queryKey: ['tags', 'options'], queryFn: readTags })
  return <TagsField label={t('Tags')} options={options} value={idsIn(value)} onChange={onChange} />
}

function idsIn(value: unknown): string[] {
  return (Array.isArray(value) ? value : value ? [value] : []).map(String)
}
