import type { FieldProblem } from '../../api/problem.ts'
import type { components, paths } from '../../api/schema.d.ts'
import { mergedList } from '../../data/merged-list.ts'
import { mustAct } from '../../data/signatures.ts'
import { hues } from '../../ui/hue.ts'
import type { Size } from '../view/pdf.ts'
import { inSentence, t } from '../../locales/text.ts'

type Request =
  paths['/api/documents/{id}/signature/request/']['post']['requestBody']['content']['application/json']
export type Kind = components['schemas']['SignatureFieldKind']
export type Condition = components['schemas']['FieldCondition']
export type Role = components['schemas']['SignatureRole']

/** Somebody who will be asked. Those with equal numbers are asked at the same time. */
export type Signer = {
  key: string
  name: string
  email: string
  role: Role
  order: number
  /** whose part it is in a reusable document */
  role_name?: string
}

/** A field on a page; its place and size are parts of the page from its upper left corner. */
export type Placed = {
  key: string
  signer: string
  kind: Kind
  page: number
  x: number
  y: number
  width: number
  height: number
  label: string
  required: boolean
  /** of a choice */
  options?: string[]
  /** when it is asked for: by what stands in another field of the same recipient */
  show_if?: Condition
  /** what is filled in already; `yes` of a box */
  prefill?: string
}

/** What is prepared and not sent yet. */
export type Preparation = {
  signers: Signer[]
  fields: Placed[]
  message: string
  /** the last day on which it may be signed, as YYYY-MM-DD */
  expires: string | null
  /** whether each recipient may hand over to somebody else */
  allow_delegation: boolean
  /** what recipients are asked for before the page opens */
  check: 'email_code' | null
}

/** Before anything is prepared. */
export const nothing: Preparation = {
  signers: [],
  fields: [],
  message: '',
  expires: null,
  allow_delegation: false,
  check: null,
}

/** A preparation as the service has it. */
export type StoredPreparation = components['schemas']['SignaturePreparation']

/** What is stored, as the screen works with it. */
export function fromStored({
  recipients,
  fields,
  message,
  expires,
  allow_delegation = false,
  check = null,
}: StoredPreparation): Preparation {
  const placed = fields.map(({ recipient: signer, ...rest }) => ({ ...rest, signer }))
  return { signers: recipients, fields: placed, message, expires, allow_delegation, check }
}

/** A preparation as it is stored. */
export function toStored({
  signers,
  fields,
  message,
  expires,
  allow_delegation,
  check,
}: Preparation) {
  const placed = fields.map((field) => {
    const { signer: recipient, prefill: _, ...rest } = field
    const prefill = prefillOf(field)
    return {
      ...rest,
      recipient,
      ...(rest.options ? { options: chosenFrom(field) } : {}),
      ...(prefill && isStorable(rest.kind, prefill) ? { prefill } : {}),
    }
  })
  return { recipients: signers, fields: placed, message, expires, allow_delegation, check }
}

/** What I made of a preparation that somebody else has changed, too; where both changed one thing, it is mine. */
export function merged(base: Preparation, mine: Preparation, theirs: Preparation): Preparation {
  const sides = [base, mine, theirs]
  const keyOf = ({ key }: { key: string }) => key
  const lists = {
    signers: mergedList<Signer>(
      sides.map(({ signers }) => signers),
      keyOf,
    ),
    fields: mergedList<Placed>(
      sides.map(({ fields }) => fields),
      keyOf,
    ),
  }
  const chosen = <K extends 'message' | 'expires' | 'allow_delegation' | 'check'>(name: K) =>
    mine[name] === base[name] ? theirs[name] : mine[name]
  const isKnown = ({ signer }: Placed) => lists.signers.some(({ key }) => key === signer)
  // both texts, so that nothing is lost
  const isBoth =
    ![base.message, theirs.message].includes(mine.message) && theirs.message !== base.message
  const message = isBoth
    ? `${theirs.message}\n\n${mine.message}`.slice(0, 2000).toWellFormed()
    : chosen('message')
  return {
    ...lists,
    fields: withConditions(lists.fields.filter(isKnown)),
    message,
    expires: chosen('expires'),
    allow_delegation: chosen('allow_delegation'),
    check: chosen('check'),
  }
}

/** The kinds of fields with their letters, and their usual size in millimetres. */
export const kinds: {
  [kind in Kind]: { label: string; key: string; width: number; height: number }
} = {
  signature: { label: t('Signature'), key: 's', width: 60, height: 20 },
  initials: { label: t('Initials'), key: 'i', width: 20, height: 10 },
  date: { label: t('Date'), key: 'd', width: 32, height: 8 },
  text: { label: t('Text'), key: 't', width: 50, height: 8 },
  checkbox: { label: t('Checkbox'), key: 'c', width: 8, height: 8 },
  name: { label: t('Name'), key: 'n', width: 50, height: 8 },
  email: { label: t('E-mail'), key: 'e', width: 60, height: 8 },
  company: { label: t('Company'), key: 'o', width: 50, height: 8 },
  number: { label: t('Number'), key: 'u', width: 25, height: 8 },
  choice: { label: t('Choice'), key: 'l', width: 40, height: 8 },
  attachment: { label: t('Attachment'), key: 'a', width: 50, height: 8 },
}

/** Whether something is asked for at a field, which may have a label and be optional. */
export function isAsked({ kind }: Placed): boolean {
  return ['text', 'checkbox', 'company', 'number', 'choice', 'attachment'].includes(kind)
}

/** Whether something is filled in at a field: it can be so beforehand, and decide whether others are asked for. */
export function isWritten(field: Placed): boolean {
  return isAsked(field) && field.kind !== 'attachment'
}

/** The fields that can decide whether another is asked for: of the same recipient, and not decided by it themselves. */
export function decidingFor(field: Placed, fields: Placed[]): Placed[] {
  const dependsOnIt = (each: Placed, steps = 0): boolean => {
    const above = fields.find(({ key }) => key === each.show_if?.field)
    if (!above || steps > fields.length) return false
    return above.key === field.key || dependsOnIt(above, steps + 1)
  }
  return inOrder(fields).filter(
    (each) =>
      each.key !== field.key &&
      each.signer === field.signer &&
      isWritten(each) &&
      !dependsOnIt(each),
  )
}

/** The fields without conditions that nothing can decide any more. */
export function withConditions(fields: Placed[]): Placed[] {
  return fields.map((field) => {
    const { show_if, ...always } = field
    if (!show_if || decidingFor(field, fields).some(({ key }) => key === show_if.field))
      return field
    return always
  })
}

/** Whether a condition compares with a value. */
export function compares({ operator }: Condition): boolean {
  return operator === 'equals' || operator === 'differs'
}

/** What a recipient is called: by the name, else the address, the role, the place among the others. */
export function nameOf(
  { name, email, role_name = '' }: Pick<Signer, 'name' | 'email' | 'role_name'>,
  at: number,
): string {
  return name.trim() || email.trim() || role_name.trim() || t('Recipient {at}', { at: at + 1 })
}

/** The hue of the recipient at a position; never the only sign of whose a field is. */
export function hueAt(position: number): string {
  return hues[position % hues.length] ?? hues[0]
}

const point = 25.4 / 72

/** A part of a length in points, in millimetres with one decimal. */
export function toMm(part: number, points: number): number {
  return Math.round(part * points * point * 10) / 10
}

/** Millimetres as a part of a length in points. */
export function fromMm(mm: number, points: number): number {
  return mm / point / points
}

/** The least size of a field, in millimetres. */
export const least = { width: 8, height: 5 }

/** A field of a kind with its usual size, with its middle at a place. */
export function placedAt(
  kind: Kind,
  at: { signer: string; page: number; x: number; y: number },
  size: Size,
): Placed {
  const { width, height } = kinds[kind]
  const [w, h] = [fromMm(width, size.width), fromMm(height, size.height)]
  const required = kind !== 'checkbox'
  const options = kind === 'choice' ? { options: [t('Yes'), t('No')] } : {}
  const field = { ...at, kind, width: w, height: h, label: '', required, ...options, key: newKey() }
  return inside({ ...field, x: at.x - w / 2, y: at.y - h / 2 })
}

/** A field moved back onto its page, and no larger than it. */
export function inside<F extends Pick<Placed, 'x' | 'y' | 'width' | 'height'>>(field: F): F {
  const [width, height] = [Math.min(1, field.width), Math.min(1, field.height)]
  return {
    ...field,
    width: rounded(width),
    height: rounded(height),
    x: rounded(Math.min(1 - width, Math.max(0, field.x))),
    y: rounded(Math.min(1 - height, Math.max(0, field.y))),
  }
}

/** A field moved, and made larger or smaller, by millimetres. */
export function changedBy(
  field: Placed,
  by: { x?: number; y?: number; width?: number; height?: number },
  size: Size,
): Placed {
  const [across, down] = [
    (mm: number) => fromMm(mm, size.width),
    (mm: number) => fromMm(mm, size.height),
  ]
  return inside({
    ...field,
    x: field.x + across(by.x ?? 0),
    y: field.y + down(by.y ?? 0),
    width: Math.max(across(least.width), field.width + across(by.width ?? 0)),
    height: Math.max(down(least.height), field.height + down(by.height ?? 0)),
  })
}

/** The same fields on other pages too, at the same place; not where the same already is. */
export function copiedTo(fields: Placed[], chosen: Placed[], pages: number[]): Placed[] {
  const copies = chosen.flatMap((field) =>
    pages
      .filter((page) => !fields.some((each) => isSame(each, { ...field, page })))
      .map((page) => ({ ...field, page, key: newKey() })),
  )
  return [...fields, ...copies]
}

function isSame(one: Placed, other: Placed): boolean {
  const names = ['signer', 'kind', 'page', 'x', 'y', 'width', 'height'] as const
  return names.every((name) => one[name] === other[name])
}

/** Ways to bring several fields in line with the first. */
export type Alignment = 'left' | 'top' | 'size'

/** The chosen fields in line with the first of them. */
export function aligned(fields: Placed[], keys: string[], how: Alignment): Placed[] {
  const first = fields.find(({ key }) => key === keys[0])
  if (!first) return fields
  const same = {
    left: { x: first.x },
    top: { y: first.y },
    size: { width: first.width, height: first.height },
  }[how]
  return fields.map((field) => (keys.includes(field.key) ? inside({ ...field, ...same }) : field))
}

/** A field's place by what is nearest: edges and middles of others, within a distance in parts. */
export function snapped(field: Placed, others: Placed[], near: { x: number; y: number }): Placed {
  const lines = (from: 'x' | 'y', length: 'width' | 'height') =>
    others.flatMap((each) => [each[from], each[from] + each[length] / 2, each[from] + each[length]])
  const shift = (from: 'x' | 'y', length: 'width' | 'height') => {
    const own = [field[from], field[from] + field[length] / 2, field[from] + field[length]]
    const shifts = lines(from, length).flatMap((line) => own.map((each) => line - each))
    const best = shifts.toSorted((a, b) => Math.abs(a) - Math.abs(b))[0]
    return best !== undefined && Math.abs(best) <= near[from] ? best : 0
  }
  return inside({
    ...field,
    x: field.x + shift('x', 'width'),
    y: field.y + shift('y', 'height'),
  })
}

/** Fields in the order of reading: by page, from the top, from the left. */
export function inOrder(fields: Placed[]): Placed[] {
  return fields.toSorted((a, b) => a.page - b.page || a.y - b.y || a.x - b.x)
}

/** What is wrong with a preparation; nothing is sent while there is an error. */
export type Fault = {
  kind: 'error' | 'warning'
  words: string
  field?: string
  step: 'recipients' | 'fields' | 'message'
}

/** Everything that is wrong, errors first. `pages` is null where fields cannot be placed. */
export function faultsOf(
  { signers, fields, expires }: Preparation,
  {
    pages,
    today,
    sizeOf,
    isReusable = false,
  }: {
    pages: number | null
    today: string
    sizeOf: (page: number) => Size
    /** whether people are still to be named */
    isReusable?: boolean
  },
): Fault[] {
  const errors: Fault[] = []
  const warnings: Fault[] = []
  const about = (words: string): Fault => ({ kind: 'error', words, step: 'recipients' })
  if (!signers.some(mustAct)) errors.push(about(t('Nobody is asked to sign: add a recipient.')))
  for (const [at, signer] of signers.entries()) {
    const { email, role, key } = signer
    const who = nameOf(signer, at)
    const isOpen = isReusable && !email.trim()
    if (isOpen && !signer.role_name?.trim())
      errors.push(about(t('{who} has neither a role nor an address.', { who })))
    if (!isOpen && !/^\S+@\S+\.\S+$/.test(email.trim()))
      errors.push(about(t('{who} has no e-mail address.', { who })))
    const same = signers.findIndex((each) => plain(each.email) === plain(email))
    if (email.trim() && same !== at) errors.push(about(t('{who} is there twice.', { who })))
    const own = fields.filter(({ signer }) => signer === key)
    if (own.length > 100) errors.push(about(t('{who} has more than 100 fields.', { who })))
    const isAsked = pages !== null && role === 'signer'
    if (isAsked && !own.some(({ kind }) => kind === 'signature')) {
      const words = t(
        '{who} has no place for a signature: it will stand on the page that is added.',
        { who },
      )
      warnings.push({ kind: 'warning', words, step: 'fields' })
    }
  }
  for (const [at, field] of fields.entries()) {
    const size = sizeOf(field.page)
    const what = t('{label} on page {page}', { label: kinds[field.kind].label, page: field.page })
    const of = (words: string): Fault => ({
      kind: 'error',
      words,
      field: field.key,
      step: 'fields',
    })
    const owner = signers.find(({ key }) => key === field.signer)
    if (!owner || !mustAct(owner)) errors.push(of(t('{what} is filled in by nobody.', { what })))
    if (pages !== null && field.page > pages)
      errors.push(of(t('{what} is beyond the last page.', { what })))
    const [wide, high] = [toMm(field.width, size.width), toMm(field.height, size.height)]
    if (wide < least.width || high < least.height)
      errors.push(of(t('{what} is too small.', { what })))
    if (field.kind === 'choice' && chosenFrom(field).length < 2) {
      errors.push(of(t('{what} has fewer than two options.', { what })))
    }
    if (field.kind === 'number' && !isStorable('number', field.prefill ?? '')) {
      errors.push(of(t('{what} is filled in beforehand with what is no number.', { what })))
    }
    if (field.show_if && compares(field.show_if) && !field.show_if.value?.trim()) {
      errors.push(of(t('{what} depends on a value that is missing.', { what })))
    }
    const below = fields.slice(0, at).find((each) => overlaps(each, field))
    if (below) {
      const other = inSentence(kinds[below.kind].label)
      const words = t('{what} overlaps with {other}.', { what, other })
      warnings.push({ kind: 'warning', words, field: field.key, step: 'fields' })
    }
  }
  if (expires !== null && expires < today) {
    errors.push({ kind: 'error', words: t('The last day to sign is over.'), step: 'message' })
  }
  return [...errors, ...warnings]
}

/** Why the service refused a request, with the names of the recipients that it is about. */
export function refusalOf(problems: FieldProblem[], { signers }: Preparation): string {
  return problems
    .map(({ field, message }) => {
      const at = Number(/^recipients\.(\d+)/.exec(field)?.[1] ?? NaN)
      const signer = signers[at]
      return signer ? `${nameOf(signer, at)}: ${message}` : message
    })
    .join(', ')
}

function plain(email: string): string {
  return email.trim().toLowerCase()
}

function overlaps(one: Placed, other: Placed): boolean {
  return (
    one.page === other.page &&
    one.x < other.x + other.width &&
    other.x < one.x + one.width &&
    one.y < other.y + other.height &&
    other.y < one.y + one.height
  )
}

/** The recipients in groups that are asked at the same time, in their turn. */
export function turnsOf(signers: Signer[]): Signer[][] {
  const groups = Map.groupBy(
    signers.toSorted((a, b) => a.order - b.order),
    ({ order }) => order,
  )
  return [...groups.values()]
}

/** The body of the request; the last day ends in the organization's time. */
export function requestOf(preparation: Preparation): Request {
  const { signers, fields, message, expires, allow_delegation, check } = preparation
  const isSequential = new Set(signers.filter(mustAct).map(({ order }) => order)).size > 1
  return {
    recipients: signers.map(({ key, name, email, role, order }) => ({
      name: name.trim() || null,
      email: email.trim(),
      role,
      order,
      ...(mustAct({ role })
        ? { fields: bodiesOf(fields.filter(({ signer }) => signer === key)) }
        : {}),
    })),
    sequential: isSequential,
    allow_delegation,
    check,
    message: message.trim() || null,
    expires_at: expires === null ? null : `${expires}T23:59:59`,
  }
}

function bodiesOf(fields: Placed[]) {
  const deciding = new Set(fields.map(({ show_if }) => show_if?.field))
  return inOrder(fields).map((field) =>
    deciding.has(field.key) ? { ...bodyOf(field), key: field.key } : bodyOf(field),
  )
}

function bodyOf(field: Placed) {
  const { kind, page, x, y, width, height, label, required, show_if } = field
  const place = { kind, page, x, y, width, height, label: label.trim() || null, required }
  const prefill = prefillOf(field)
  const body = {
    ...place,
    ...(show_if ? { show_if } : {}),
    ...(prefill ? { prefill } : {}),
  }
  return kind === 'choice' ? { ...body, options: chosenFrom(field) } : body
}

/** What is filled in at a field already, where its kind takes it. */
function prefillOf(field: Placed): string | undefined {
  const text = field.prefill?.trim()
  if (!text || !isWritten(field)) return undefined
  if (field.kind === 'choice' && !chosenFrom(field).includes(text)) return undefined
  return text
}

/** Whether the service takes it: a number has to be one. */
function isStorable(kind: Kind, prefill: string): boolean {
  const text = prefill.trim()
  return kind !== 'number' || !text || /^[+-]?\d[\d\s'’.,]*$/.test(text)
}

/** What can be chosen at a choice. */
function chosenFrom({ options = [] }: Placed): string[] {
  return [...new Set(options.map((each) => each.trim()).filter(Boolean))]
}

/** An own key of a recipient or a field. */
export function newKey(): string {
  return crypto.randomUUID()
}

/** Precise to a thousandth of a millimetre. */
function rounded(part: number): number {
  return Math.round(part * 1e6) / 1e6
}
