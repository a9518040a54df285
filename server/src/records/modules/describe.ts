import { crc32 } from 'node:zlib'
import type { Context } from '../../kit/ground/context.ts'
import { filterRegistry } from '../../kit/read/filter-registry.ts'
import type { Registry } from '../../kit/read/filter-fields.ts'
import { operatorsOf } from '../../kit/read/filter.ts'
import { isSummable } from '../../kit/read/groups.ts'
import { isSortable, linkedEntry } from '../../kit/read/sort.ts'
import type { Definition } from '../../kit/record/field-types.ts'
import { shownDefinitions, shownTo } from '../../kit/record/audience.ts'
import type { AnyRecord, Field } from '../../kit/record/record.ts'
import { isWritable, wordOf } from '../../kit/record/record.ts'
import { levelOf } from '../../kit/record/scope.ts'
import { labelIn } from '../../model/words/labels.ts'
import { fieldTypeOf } from '../field-config/built-in.ts'
import { fieldLabelOf } from '../field-config/labels.ts'
import type { Choice } from './choices.ts'
import { choicesOf, groupableTypes, isGroupable, summableTypes } from './choices.ts'
import type { ModuleWithFields } from './description.ts'
import type { Layout } from './layout-shape.ts'
import { layoutOf } from './layout.ts'
import type { Unplaced } from './places.ts'
import { placed } from './places.ts'

/** The list of a module and the operation that changes a record; null and empty if it has no list. */
export type Surface = {
  pathOf: (module: string) => string | null
  /** the properties of an update's body, which may be more than the record's writable fields */
  changeable: (module: string) => ReadonlySet<string>
  /** the fields that an update refuses, or that follow from something else */
  fixed: (module: string) => ReadonlySet<string>
}

const actions = ['create', 'read', 'update', 'delete'] as const

/**
 * The description of a module for the caller: its names, rights and fields, including custom ones. `chosen` is where
 * the organization has placed these, if that was changed just now.
 */
export async function describe(
  ctx: Context,
  whole: AnyRecord,
  surface: Surface,
  chosen?: Layout | null,
): Promise<ModuleWithFields> {
  const record = shownTo(ctx, whole)
  const { module, number, key, title } = record
  const levels = actions.map((action) => [action, levelOf(ctx.actor, module, action)])
  const description = {
    module,
    module_id: number,
    path: surface.pathOf(module),
    key,
    title_field: title,
    word: {
      one: labelIn(ctx.actor.language, record.word.replaceAll('_', ' ')),
      many: labelIn(ctx.actor.language, wordOf(record).replaceAll('_', ' ')),
    },
    can: Object.fromEntries(levels) as ModuleWithFields['can'],
    ...(await placedFields(ctx, record, surface, chosen)),
  }
  return { ...description, version: crc32(JSON.stringify(description)) }
}

/** The fields with their places, and what of these the organization has chosen. */
async function placedFields(
  ctx: Context,
  record: AnyRecord,
  surface: Surface,
  chosen: Layout | null | undefined,
) {
  const [fields, stored] = await Promise.all([
    fieldsOf(ctx, record, surface),
    chosen === undefined ? layoutOf(ctx, record) : chosen,
  ])
  const known = new Set(fields.map(({ name }) => name))
  const shown = (names: string[] | null) => names && names.filter((name) => known.has(name))
  const layout = stored && {
    strip: shown(stored.strip),
    rail: shown(stored.rail),
    hidden: shown(stored.hidden),
  }
  return { layout: layout ?? null, fields: placed(record, fields, layout ?? undefined) }
}

async function fieldsOf(ctx: Context, record: AnyRecord, surface: Surface): Promise<Unplaced[]> {
  const { module } = record
  const onlySome = ctx.actor.is_confined ? record.rights.confinedMay : undefined
  const [known, registry] = await Promise.all([
    shownDefinitions(ctx, module),
    filterRegistry(ctx, record),
  ])
  const entries = Object.entries(record.fields).filter(([name]) => name !== 'custom_fields')
  const own = await Promise.all(
    entries.map(async ([name, field], position) => {
      const words = known.get(name)
      const options = await choicesOf(ctx, record, name, field)
      // values of an enumeration are the service's words; options, statuses, stages and roles are the organization's
      const isWord = field.choices ?? (field.readSchema ?? field.schema).enum
      const said = ({ label, ...rest }: Choice): Choice => ({
        ...rest,
        label: isWord ? labelIn(ctx.actor.language, label) : label,
      })
      const shared = {
        position: words?.position ?? position,
        options: options.map((each) => choice(said(each))),
      }
      const described = builtIn(record, name, field, registry, surface)
      const isRefused = onlySome && !onlySome.includes(name)
      // a choice, whether reads show it as text or as an object
      const isChosen = options.length > 0 && ['text', 'json'].includes(described.type)
      const type = isChosen ? 'select' : described.type
      const is_shown = described.is_shown && !isList(type, described, options)
      const is_writable = described.is_writable && !isRefused
      return {
        ...described,
        ...labelled(words, described.label, ctx.actor),
        ...shared,
        type,
        is_shown,
        is_writable,
      }
    }),
  )
  const custom = [...known.values()].filter((each) => !each.is_built_in && !each.is_archived)
  const all = custom.map((definition) => customField(definition, registry, !onlySome))
  return [...own, ...all]
}

function builtIn(
  record: AnyRecord,
  name: string,
  field: Field,
  registry: Registry,
  { pathOf, changeable, fixed }: Surface,
): Omit<Unplaced, 'options' | 'position'> {
  const { schema, nullable, access } = field
  const type = typeOf(name, field)
  const linked = field.reference?.to?.()
  return {
    name,
    label: fieldLabelOf(name, field, record),
    description: field.description ?? (schema.description as string | undefined) ?? null,
    group: null,
    type,
    look: field.look ?? null,
    is_custom: false,
    is_shown: !field.isUnshown && name !== 'id' && !['id', 'json'].includes(type),
    is_required: access === 'required',
    is_writable:
      !field.isStated &&
      !fixed(record.module).has(name) &&
      (isWritable(field) || changeable(record.module).has(name)),
    is_nullable: nullable,
    is_internal: field.audience === 'internal',
    is_unique: false,
    is_sortable: isSortable(field) || linkedEntry(registry, name, field) !== undefined,
    ...filtering(name, registry),
    is_groupable: isGroupable(name, field),
    is_summable: isSummable(field),
    max_length: (schema.maxLength as number | undefined) ?? null,
    minimum: (schema.minimum as number | undefined) ?? null,
    maximum: (schema.maximum as number | undefined) ?? null,
    default: field.default ?? null,
    reference: linked
      ? {
          module: linked.module,
          key: linked.key,
          title_field: linked.title,
          path: pathOf(linked.module),
        }
      : null,
  }
}

/** Whether pages show the field's list separately, as they do for attendees. */
function isList(type: string, { is_writable }: { is_writable: boolean }, options: Choice[]) {
  return type === 'list' && !is_writable && !options.length
}

function typeOf(name: string, field: Field): string {
  if (field.access === 'key') return 'id'
  return field.isMoney ? 'currency' : fieldTypeOf(name, field)
}

/** The organization's settings for a built-in field: a label of its own is in no other language. */
function labelled(words: Definition | undefined, known: string, { language }: Context['actor']) {
  const label = words && words.label !== known ? words.label : labelIn(language, known)
  if (!words) return { label }
  const { description, group, required } = words
  return { label, description, group, ...(required ? { is_required: true } : {}) }
}

function customField(definition: Definition, registry: Registry, is_writable: boolean): Unplaced {
  const { key, label, description, group, position, type, required, unique, options } = definition
  const { is_shared } = definition
  const name = `custom_fields.${key}`
  return {
    name,
    label,
    description,
    group,
    position,
    type,
    look: null,
    is_custom: true,
    is_shown: true,
    is_required: required,
    is_writable,
    is_nullable: !required,
    is_internal: !is_shared,
    is_unique: unique,
    is_sortable: linkedEntry(registry, name, undefined) !== undefined,
    ...filtering(name, registry),
    is_groupable: groupableTypes.includes(type),
    is_summable: summableTypes.includes(type),
    max_length: null,
    minimum: null,
    maximum: null,
    default: definition.default ?? null,
    options: options.map(choice),
    reference: null,
  }
}

function filtering(name: string, registry: Registry) {
  const found = registry.get(name)
  return { is_filterable: found !== undefined, operators: found ? operatorsOf(found.kind) : [] }
}

function choice({ value, label, color, icon }: Choice) {
  return { value: String(value), label, color: color ?? null, icon: icon ?? null }
}
