import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { asSent, createRecord, notifyRefusal } from '../../data/change.ts'
import type { Field } from '../../data/modules.ts'
import { fieldThatLooks, moduleQuery } from '../../data/modules.ts'
import { queryClient } from '../../data/query-client.ts'
import type { AnyRecord } from '../../data/record.ts'
import { valueOf } from '../../data/record.ts'
import { useMay, useSession } from '../../data/session.ts'
import { Choice } from '../../ui/choice.tsx'
import { Combobox } from '../../ui/combobox.tsx'
import { DateField } from '../../ui/date-field.tsx'
import type { Option } from '../../ui/option.tsx'
import { NumberField } from '../../ui/number-field.tsx'
import { PersonField } from '../../ui/person-field.tsx'
import { TagsField } from '../../ui/tags-field.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { readTags, searchLinked, searchPeople } from './choices.ts'
import { isObject, linkedIn, personIn } from './linked.ts'
import { instantAt, localTime } from './local-time.ts'
import { personById, useNameOf } from './name-of.tsx'
import { optionIn } from './option.ts'
import { useFormat } from './use-format.ts'
import { t } from '../../locales/text.ts'

/** A new value: in the API's form, and in the record's form if that differs. */
export type Edited = { value: unknown; shown?: AnyRecord }

type Props = {
  field: Field
  record: AnyRecord
  /** its label, if no `Field` around it has one */
  label?: string
  /** called when the value is chosen or completely typed */
  onCommit: (edited: Edited) => void
  /** called on each change while typing, for forms */
  onChange?: (edited: Edited) => void
  onCancel?: () => void
  /** opens or takes the focus at once, for editing in place */
  isInPlace?: boolean
}

/**
 * The control for a field, by its type. Enter and leaving it commit, Escape cancels; a choice from a
 * list commits at once.
 */
export function FieldEditor(props: Props) {
  const { field, record } = props
  const value = valueOf(record, field.name)
  if (field.look === 'tags') return <Tagging {...props} />
  if (field.type === 'user') return <Who {...props} />
  if (field.type === 'reference' && field.reference?.path) return <Linking {...props} />
  if (field.type === 'boolean' || field.options.length || field.type === 'rating') {
    return <Choosing {...props} />
  }
  if (['number', 'currency', 'percent', 'integer'].includes(field.type)) {
    return <Numbering {...props} initial={typeof value === 'number' ? value : null} />
  }
  if (field.type === 'date' || field.type === 'datetime') {
    return <Dating {...props} initial={typeof value === 'string' ? value : null} />
  }
  return <Writing {...props} initial={value === null || value === undefined ? '' : String(value)} />
}

function Writing({
  field,
  label,
  initial,
  onCommit,
  onChange,
  onCancel,
  isInPlace,
}: Props & { initial: string }) {
  const [text, setText] = useState(initial)
  const isLong = field.type === 'long_text'
  const sent = (next: string) => ({ value: next.trim() === '' && field.is_nullable ? null : next })
  const commit = () => (text === initial ? onCancel?.() : onCommit(sent(text)))
  const shared = {
    value: text,
    onChange: (next: string) => {
      setText(next)
      onChange?.(sent(next))
    },
    ...(label === undefined ? {} : { label }),
    autoFocus: isInPlace === true,
    onBlur: commit,
    ...(field.max_length === null ? {} : { maxLength: field.max_length }),
    onKeyDown: (event: React.KeyboardEvent) => {
      if (event.nativeEvent.isComposing) return
      // within a form it closes the form's dialog
      if (event.key === 'Escape' && isInPlace) {
        event.stopPropagation()
        onCancel?.()
      } else if (
        event.key === 'Enter' &&
        isInPlace &&
        (!isLong || event.ctrlKey || event.metaKey)
      ) {
        event.preventDefault()
        event.stopPropagation()
        commit()
      }
    },
  }
  if (isLong) return <TextArea {...shared} rows={3} />
  const types: { [type: string]: string } = { email: 'email', url: 'url', phone: 'tel' }
  return <TextField {...shared} type={types[field.type] ?? 'text'} />
}

function Numbering({
  field,
  label,
  initial,
  onCommit,
  onChange,
  onCancel,
  isInPlace,
}: Props & { initial: number | null }) {
  const [value, setValue] = useState(initial)
  // text that is no number stays to be mended
  const [isWrong, setWrong] = useState(false)
  const commit = () => {
    if (isWrong) return
    if (value === initial) onCancel?.()
    else onCommit({ value })
  }
  return (
    <NumberField
      value={value}
      onChange={(next) => {
        setWrong(false)
        setValue(next)
        onChange?.({ value: next })
      }}
      onInvalid={() => setWrong(true)}
      {...(label === undefined ? {} : { label })}
      {...(field.minimum === null ? {} : { min: field.minimum })}
      {...(field.maximum === null ? {} : { max: field.maximum })}
      autoFocus={isInPlace === true}
      onBlur={commit}
      onKeyDown={(event) => {
        if (isWrong && event.key === 'Enter') event.currentTarget.reportValidity()
        keyed(event, commit, onCancel, isInPlace)
      }}
    />
  )
}

function Dating({
  field,
  label,
  initial,
  onCommit,
  onChange,
  onCancel,
  isInPlace,
}: Props & { initial: string | null }) {
  const isDay = field.type === 'date'
  const { timezone } = useFormat()
  const begun = initial && (isDay ? initial.slice(0, 10) : localTime(initial, timezone))
  const [value, setValue] = useState(begun)
  // a time is stored as an instant: without an offset it would be in the organization's zone, not the person's
  const edited = (next: string | null): Edited => ({
    value: next === null || isDay ? next : instantAt(next, timezone),
  })
  const commit = () => (value === begun ? onCancel?.() : onCommit(edited(value)))
  return (
    <DateField
      kind={isDay ? 'date' : 'datetime'}
      value={value}
      onChange={(next) => {
        setValue(next)
        onChange?.(edited(next))
      }}
      {...(label === undefined ? {} : { label })}
      autoFocus={isInPlace === true}
      onBlur={commit}
      onKeyDown={(event) => keyed(event, commit, onCancel, isInPlace)}
    />
  )
}

function Choosing({ field, record, label, onCommit, onChange, onCancel, isInPlace }: Props) {
  const value = valueOf(record, field.name)
  const isMany = field.type === 'multi_select' || Array.isArray(value)
  const options =
    field.type === 'boolean'
      ? [
          { value: 'true', label: t('Yes') },
          { value: 'false', label: t('No') },
        ]
      : field.type === 'rating'
        ? [1, 2, 3, 4, 5].map((each) => ({ value: String(each), label: '★'.repeat(each) }))
        : field.options.map(({ value: each, label: words, color }) => ({
            value: String(each),
            label: words,
            color,
          }))
  const isNumber = ['rating', 'number', 'integer'].includes(field.type)
  const typed = (next: string): unknown =>
    field.type === 'boolean' ? next === 'true' : isNumber ? Number(next) : next
  const choose = (next: unknown) =>
    isInPlace ? onCommit({ value: next }) : (onChange ?? onCommit)({ value: next })
  const shared = {
    options,
    ...(label === undefined ? {} : { label }),
    defaultOpen: isInPlace === true,
    autoFocus: isInPlace === true,
    clearable: field.is_nullable,
    look: field.look === 'status' ? ('status' as const) : ('plain' as const),
    onOpenChange: (open: boolean) => {
      if (!open && isInPlace && !isMany) onCancel?.()
    },
  }
  if (isMany) {
    return (
      <ManyChoice
        {...shared}
        initial={(value as unknown[] | null) ?? []}
        onDone={choose}
        isInPlace={isInPlace === true}
        onCancel={onCancel}
      />
    )
  }
  const chosen =
    field.type === 'boolean' || isNumber
      ? value === null || value === undefined
        ? null
        : String(value)
      : (optionIn(field, isObject(value) ? (value.status_key ?? value.stage_key ?? value) : value)
          ?.value ?? null)
  return (
    <Choice
      {...shared}
      value={chosen}
      onChange={(next) => choose(next === null ? null : typed(next))}
    />
  )
}

function ManyChoice({
  initial,
  onDone,
  isInPlace,
  onCancel,
  ...shared
}: {
  initial: unknown[]
  options: { value: string; label: string; color?: string | null }[]
  onDone: (next: string[]) => void
  isInPlace: boolean
  onCancel: (() => void) | undefined
}) {
  const [chosen, setChosen] = useState(initial.map(String))
  return (
    <Choice
      {...shared}
      multiple
      value={chosen}
      onChange={(next) => {
        setChosen(next)
        if (!isInPlace) onDone(next)
      }}
      onOpenChange={(open) => {
        if (open || !isInPlace) return
        if (chosen.join() === initial.map(String).join()) onCancel?.()
        else onDone(chosen)
      }}
    />
  )
}

function Tagging({ record, label, onCommit, onChange, onCancel, isInPlace }: Props) {
  const initial = ((record.tags as unknown[] | null) ?? []).map(String)
  const [chosen, setChosen] = useState(initial)
  const { data: options = [] } = useQuery({ queryKey: ['tags', 'options'], queryFn: readTags })
  return (
    <TagsField
      value={chosen}
      options={options}
      creatable
      {...(label === undefined ? {} : { label })}
      defaultOpen={isInPlace === true}
      autoFocus={isInPlace === true}
      onChange={(next) => {
        setChosen(next)
        if (!isInPlace) (onChange ?? onCommit)({ value: next })
      }}
      onOpenChange={(open) => {
        if (open || !isInPlace) return
        if (chosen.join() === initial.join()) onCancel?.()
        else onCommit({ value: chosen })
      }}
    />
  )
}

function Who({ field, record, label, onCommit, onChange, onCancel, isInPlace }: Props) {
  const value = valueOf(record, field.name)
  const person = personIn(value)
  // custom fields only contain the id
  const id = person ? person.user_id : typeof value === 'string' ? value : ''
  const name = useNameOf(personById(person ? '' : id))
  const done = isInPlace ? onCommit : (onChange ?? onCommit)
  return (
    <PersonField
      search={searchPeople}
      value={
        id ? { id, name: person?.full_name ?? name, image: person?.profile_image ?? null } : null
      }
      onChange={(next) =>
        done({
          value: next?.id ?? null,
          shown: {
            [field.name]: next
              ? { user_id: next.id, full_name: next.name, profile_image: next.image ?? null }
              : null,
          },
        })
      }
      {...(label === undefined ? {} : { label })}
      clearable={field.is_nullable}
      defaultOpen={isInPlace === true}
      autoFocus={isInPlace === true}
      onOpenChange={(open) => {
        if (!open && isInPlace) onCancel?.()
      }}
    />
  )
}

function Linking({ field, record, label, onCommit, onChange, onCancel, isInPlace }: Props) {
  const value = valueOf(record, field.name)
  const linked = linkedIn(field, record, value)
  const name = useNameOf({
    path: field.reference?.path,
    title: field.reference?.title_field,
    id: linked && linked.title === undefined ? linked.id : '',
  })
  const done = isInPlace ? onCommit : (onChange ?? onCommit)
  const base = field.name.replace(/_id$/, '')
  const { user } = useSession()
  const to = field.reference?.module ?? ''
  const mayCreate = useMay(to, 'create') && creatable.has(to)
  const choose = (next: Option | null) => {
    const { key = 'id', title_field: title = 'name' } = field.reference ?? {}
    const whole = next && { [key]: next.value, [title]: next.label }
    const isWhole = isObject(value) || base === field.name
    done({
      value: next?.value ?? null,
      shown: {
        [field.name]: isWhole ? whole : (next?.value ?? null),
        ...(isWhole ? {} : { [base]: whole, [`${base}_name`]: next?.label ?? null }),
      },
    })
  }
  return (
    <Combobox
      load={searchLinked(field)}
      value={linked ? { value: linked.id, label: linked.title ?? name } : null}
      onChange={choose}
      {...(mayCreate
        ? {
            onCreate: (called: string) =>
              void createLinked(to, called, record, user.user_id).then(choose, notifyRefusal),
          }
        : {})}
      {...(label === undefined ? {} : { label })}
      clearable={field.is_nullable}
      defaultOpen={isInPlace === true}
      autoFocus={isInPlace === true}
      onOpenChange={(open) => {
        if (!open && isInPlace) onCancel?.()
      }}
    />
  )
}

/** Companies, contacts and accounts are created where they are chosen. */
const creatable = new Set(['companies', 'contacts', 'accounts'])

/** A new record of which only the name is known, with the person as its owner; an account is of the record's company. */
async function createLinked(
  name: string,
  title: string,
  record: AnyRecord,
  me: string,
): Promise<Option> {
  const module = await queryClient.ensureQueryData(moduleQuery(name))
  const owner = fieldThatLooks(module, 'owner')
  const company = asSent(record.company_id)
  const id = await createRecord(
    module,
    {
      [module.title_field]: title,
      ...(owner ? { [owner.name]: me } : {}),
      ...(name === 'accounts' && typeof company === 'string' ? { company_id: company } : {}),
    },
    crypto.randomUUID(),
  )
  return { value: id, label: title }
}

function keyed(
  event: React.KeyboardEvent,
  commit: () => void,
  cancel: (() => void) | undefined,
  isInPlace: boolean | undefined,
) {
  if (!isInPlace) return
  if (event.key === 'Escape') {
    event.stopPropagation()
    cancel?.()
  } else if (event.key === 'Enter') {
    event.preventDefault()
    event.stopPropagation()
    commit()
  }
}
