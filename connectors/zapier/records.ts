import type { Bundle, Create, PlainInputField, Search, ZObject } from 'zapier-platform-core'
import { withAddresses } from './address.ts'
import { addressOf } from './auth.ts'
import { catalogue } from './catalogue.ts'
import { bodyOf, coerce } from './coerce.ts'
import { hasCustom } from './custom.ts'
import { customFieldsOf, customForm, formOf } from './fields.ts'
import type { RecordModel } from './model.ts'

type Item = { [name: string]: unknown }

const article = (name: string) => (/^[AEIOU]/i.test(name) ? 'an' : 'a')

const onDuplicate: PlainInputField = {
  key: 'on_duplicate',
  label: 'If It Exists',
  choices: { fail: 'Stop with an error', update: 'Update the one that exists' },
  default: 'fail',
  required: false,
  helpText: 'What to do when the record exists already.',
}

export const creates: { [key: string]: Create } = Object.fromEntries(
  catalogue.records
    .flatMap((record) => [...createOf(record), ...updateOf(record)])
    .map((each) => [each.key, each]),
)

export const searches: { [key: string]: Search } = Object.fromEntries(
  catalogue.records.map((record) => [`find_${record.word}`, searchOf(record)]),
)

/** "Find or create" for every record that can be created. */
export const searchOrCreates = Object.fromEntries(
  catalogue.records
    .filter(({ create }) => create)
    .map(({ word, label }) => [
      `find_${word}`,
      {
        key: `find_${word}`,
        display: {
          label: `Find or Create ${label}`,
          description: `Finds ${article(label)} ${label.toLowerCase()}, or creates one.`,
        },
        search: `find_${word}`,
        create: `create_${word}`,
      },
    ]),
)

function createOf(record: RecordModel): Create[] {
  const { word, label, create } = record
  if (!create) return []
  const made: Create = {
    key: `create_${word}`,
    noun: label,
    display: {
      label: `Create ${label}`,
      description: `Creates ${article(label)} ${label.toLowerCase()}.`,
    },
    operation: {
      inputFields: [
        ...formOf(record, 'create'),
        ...(create.isUpsert ? [onDuplicate] : []),
        customForm(record, 'create'),
      ],
      async perform(z: ZObject, bundle: Bundle) {
        const { on_duplicate } = bundle.inputData
        const body = { ...create.body, ...(await bodyFrom(record, z, bundle)) }
        return written(record, z, {
          method: 'POST',
          url: addressOf(bundle) + create.path,
          params: create.isUpsert && on_duplicate ? { on_duplicate: String(on_duplicate) } : {},
          body,
        })
      },
      sample: record.sample,
    },
  }
  return [made]
}

function updateOf(record: RecordModel): Create[] {
  const { word, label, id, update } = record
  if (!update) return []
  const made: Create = {
    key: `update_${word}`,
    noun: label,
    display: {
      label: `Update ${label}`,
      description: `Changes the filled fields of ${article(label)} ${label.toLowerCase()}.`,
    },
    operation: {
      inputFields: [
        {
          key: 'record_id',
          label,
          required: true,
          helpText: `The ID of the ${label.toLowerCase()}; a search step finds it.`,
          search: `find_${word}.${id}`,
          dynamic: `list_${word}.id.label`,
        },
        ...formOf(record, 'update'),
        customForm(record, 'update'),
      ],
      async perform(z: ZObject, bundle: Bundle) {
        const recordId = String(bundle.inputData.record_id ?? '').trim()
        if (!recordId) throw new z.errors.Error(`The ${label} is empty`, 'nothing_to_update', 400)
        const path = update.path.replace('{id}', encodeURIComponent(recordId))
        const body = await bodyFrom(record, z, bundle)
        return written(record, z, { method: 'PUT', url: addressOf(bundle) + path, body })
      },
      sample: record.sample,
    },
  }
  return [made]
}

function searchOf(record: RecordModel): Search {
  const { word, label, find, list, fields } = record
  const names = find.map((each) => each.label.toLowerCase()).join(' or ')
  return {
    key: `find_${word}`,
    noun: label,
    display: {
      label: `Find ${label}`,
      description: `Finds ${article(label)} ${label.toLowerCase()} by ${names}.`,
    },
    operation: {
      inputFields: find.map(({ key, label: name, dropdown, options }) => ({
        key,
        label: name,
        type: 'string' as const,
        required: find.length === 1,
        ...(dropdown && { dynamic: `list_${dropdown}.id.label` }),
        ...(options && {
          choices: Object.fromEntries(options.map((each) => [each.value, each.label])),
        }),
      })),
      async perform(z: ZObject, bundle: Bundle) {
        const params: { [name: string]: string } = {
          ...list.query,
          sort: '-last_update_time',
          limit: '10',
        }
        for (const { key } of find) {
          const type = fields.find((each) => each.key === key)?.type ?? 'text'
          // blanks alone are no condition to the list
          const value = String(coerce(type, bundle.inputData[key]) ?? '').trim()
          if (value) params[key] = value
        }
        // without a condition every record would be found
        if (!find.some(({ key }) => key in params)) {
          throw new z.errors.Error(`Fill in ${names}`, 'nothing_to_find', 400)
        }
        const response = await z.request({ url: addressOf(bundle) + list.path, params })
        return (response.data as { results: Item[] }).results.map((each) => withId(record, each))
      },
      sample: record.sample,
    },
  }
}

async function bodyFrom(record: RecordModel, z: ZObject, bundle: Bundle): Promise<Item> {
  const values = withAddresses(record.fields, bundle.inputData)
  const custom = hasCustom(values) ? await customFieldsOf(record, z, bundle) : []
  return bodyOf([...record.fields, ...custom], values)
}

async function written(
  record: RecordModel,
  z: ZObject,
  request: { method: 'POST' | 'PUT'; url: string; params?: { [name: string]: string }; body: Item },
): Promise<Item> {
  const response = await z.request(request)
  return withId(record, (response.data as { data: Item }).data)
}

/** Zapier requires an `id` in every item. */
function withId({ id }: RecordModel, item: Item): Item {
  return { id: item[id], ...item }
}
