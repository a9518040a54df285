import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Field } from '../../data/modules.ts'
import type { AnyRecord } from '../../data/record.ts'
import { valueOf } from '../../data/record.ts'
import { Avatar, AvatarGroup } from '../../ui/avatar.tsx'
import { hueOfOption } from '../../ui/hue.ts'
import { Icon } from '../../ui/icons.tsx'
import { Score } from '../../ui/score.tsx'
import { Status } from '../../ui/status.tsx'
import { Tag, TagLine, Tags } from '../../ui/tag.tsx'
import { fileSize } from '../files/describe.ts'
import { useAddressOf } from '../screens.ts'
import type { Format } from './format.ts'
import {
  day,
  daysLeft,
  duration,
  instant,
  money,
  number,
  percent,
  relative,
  today,
} from './format.ts'
import { LazySigners } from './lazy-signers.tsx'
import { isObject, labelOf, linkedIn, personIn } from './linked.ts'
import { optionIn } from './option.ts'
import styles from './show.module.css'
import { NameOf, personById, useNameOf } from './name-of.tsx'
import { useFormat } from './use-format.ts'
import { t } from '../../locales/text.ts'

/** Numbers that are shown with their units. */
const measures: { [look: string]: (value: number, format: Format) => string } = {
  bytes: (bytes, { locale }) => fileSize(bytes, locale),
  duration,
  days_left: daysLeft,
}

type Props = {
  field: Field
  record: AnyRecord
  /** on one line, as in a table */
  line?: boolean
}

/** A value of a record, formatted by the type of its field; nothing if it is empty. */
export function FieldValue({ field, record, line = false }: Props): ReactNode {
  const format = useFormat()
  const addressOf = useAddressOf()
  const value = valueOf(record, field.name)
  if (isEmpty(value)) return null
  if (field.look === 'signers') return <LazySigners record={record} />
  const person = personIn(value)
  if (person) return <PersonName name={person.full_name} image={person.profile_image} />
  if (field.type === 'user' && typeof value === 'string') return <PersonOf id={value} />
  const linked = linkedIn(field, record, value)
  if (linked) {
    const to = addressOf(linked.module, linked.id)
    const title = linked.title ?? (
      <NameOf path={field.reference?.path} title={field.reference?.title_field} id={linked.id} />
    )
    return to ? (
      <Link to={to} className={styles.link}>
        {title}
      </Link>
    ) : (
      title
    )
  }
  switch (field.type) {
    case 'boolean':
      return value === true ? t('Yes') : t('No')
    case 'number':
      // numbers that mean words, such as the types of tasks
      if (field.options.length)
        return <Other field={field} value={value} record={record} line={line} />
      if (field.look === 'score') return <Score value={Number(value)} />
      return (measures[field.look ?? ''] ?? number)(Number(value), format)
    case 'currency':
      return money(Number(value), currencyOf(record, format), format)
    case 'percent':
      return percent(Number(value), format)
    case 'rating':
      return <Rating value={Number(value)} />
    case 'date':
      return <Day field={field} record={record} value={String(value)} format={format} />
    case 'datetime':
      return (
        <time dateTime={String(value)} title={instant(String(value), format)}>
          {line && !field.is_writable
            ? relative(String(value), format)
            : instant(String(value), format)}
        </time>
      )
    case 'email':
      return <Outward href={`mailto:${String(value)}`}>{String(value)}</Outward>
    case 'phone':
      return <Outward href={`tel:${String(value).replaceAll(' ', '')}`}>{String(value)}</Outward>
    case 'url':
      return (
        <Outward href={String(value)}>
          {String(value).replace(/^https?:\/\/(www\.)?|\/$/g, '')}
        </Outward>
      )
    default:
      return <Other field={field} value={value} record={record} line={line} />
  }
}

/** A person in a custom field, which only contains the id. */
function PersonOf({ id }: { id: string }) {
  return <PersonName name={useNameOf(personById(id))} />
}

/** A person's picture and name. */
export function PersonName({ name, image }: { name: string; image?: string | null | undefined }) {
  return (
    <span className={styles.person}>
      <Avatar name={name} image={image ?? null} size={20} />
      <span>{name}</span>
    </span>
  )
}

/** Whether a value is shown as missing. */
export function isEmpty(value: unknown): boolean {
  return (
    value === null ||
    value === undefined ||
    value === '' ||
    (Array.isArray(value) && value.length === 0) ||
    (isObject(value) && Object.keys(value).length === 0)
  )
}

/** The currency of a record's amounts. */
export function currencyOf(record: AnyRecord, { currency }: Format): string {
  return typeof record.currency_unit === 'string' ? record.currency_unit : currency
}

function Other({ field, value, record, line }: Props & { value: unknown }) {
  if (field.type === 'select' || field.options.length || field.look === 'status') {
    const values: unknown[] = Array.isArray(value) ? value : [value]
    const options = values.flatMap((each) => optionIn(field, each) ?? [])
    if (field.look === 'status') {
      const shown = options.map((option) => (
        <Status key={option.value} color={hueOfOption(option)}>
          {option.label}
        </Status>
      ))
      return shown.length === 1 ? shown[0] : <Tags>{shown}</Tags>
    }
    // colors are for states, and for what the organization has given one
    if (options.every(({ color }) => !color)) {
      const words = options.map(({ label }) => label).join(', ')
      return <span className={line ? styles.cut : styles.text}>{words}</span>
    }
    if (line && options.length > 1) return <TagLine tags={options} />
    const shown = options.map(({ value: key, label, color }) => (
      <Tag key={key} color={color ?? null} neutral={!color}>
        {label}
      </Tag>
    ))
    return shown.length === 1 ? shown[0] : <Tags>{shown}</Tags>
  }
  if (Array.isArray(value)) {
    const entries: unknown[] = value
    const people = entries.map(personIn)
    if (people.every((person) => person !== undefined)) {
      return (
        <AvatarGroup
          people={people.map((each) => ({
            id: each.user_id,
            name: each.full_name,
            image: each.profile_image ?? null,
          }))}
        />
      )
    }
    const labels = entries.map(labelOf)
    if (line) return <TagLine tags={labels.map((label) => ({ label }))} />
    return (
      <Tags>
        {labels.map((label) => (
          <Tag key={label}>{label}</Tag>
        ))}
      </Tags>
    )
  }
  if (isObject(value)) return labelOf(value)
  void record
  return <span className={line ? styles.cut : styles.text}>{String(value)}</span>
}

/** A day; marked as overdue if it has passed and something is still open. */
function Day({
  field,
  record,
  value,
  format,
}: {
  field: Field
  record: AnyRecord
  value: string
  format: Format
}) {
  const isDue = field.look === 'due'
  const isOpen = record.is_completed !== true && !record.completed_at && !record.closed_at
  const isLate = isDue && isOpen && value.slice(0, 10) < today(format.timezone)
  return (
    <time dateTime={value} className={isLate ? styles.late : undefined}>
      {day(value, format)}
      {isLate ? <span className={styles.hidden}> {t('(overdue)')}</span> : null}
    </time>
  )
}

function Rating({ value }: { value: number }) {
  return (
    <span className={styles.rating} role="img" aria-label={t('{rating} of 5', { rating: value })}>
      {Array.from({ length: 5 }, (_, at) => (
        <span key={at} data-on={at < value}>
          <Icon name="star" size={14} />
        </span>
      ))}
    </span>
  )
}

function Outward({ href, children }: { href: string; children: string }) {
  const isSafe = /^(https?:|mailto:|tel:)/i.test(href)
  if (!isSafe) return children
  return (
    <a href={href} className={styles.link} target="_blank" rel="noreferrer noopener">
      {children}
    </a>
  )
}
