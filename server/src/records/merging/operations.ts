import { Type } from 'typebox'
import type { TProperties } from 'typebox'
import { arrayOf, enumeration, extend, orNull, schema } from '../../kit/ground/json-schema.ts'
import type { JSONSchema } from '../../kit/ground/json-schema.ts'
import { operation } from '../../kit/ground/operation.ts'
import { sizeUnderEitherName } from '../../kit/read/page.ts'
import type { AnyRecord } from '../../kit/record/record.ts'
import { readSchema } from '../../kit/record/schema.ts'
import { Company } from '../../model/companies/company.ts'
import { companyKey } from '../companies/key.ts'
import { Contact } from '../../model/contacts/contact.ts'
import { contactKey } from '../contacts/key.ts'
import { findDuplicates, mostShown, shownFields } from './duplicates/find.ts'
import type { Likeness } from './duplicates/likeness.ts'
import { companyLikeness, contactLikeness } from './duplicates/likeness.ts'
import { strategies } from './fields.ts'
import { mergeRecords } from './merge.ts'
import type { KeyOf } from './stored.ts'
import { undoDays, undoMerge } from './undo.ts'

/** The maximum number of records in one merge. */
const mostMerged = 50

const pageSize = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description }))
const recordId = (description?: string) =>
  Type.String({ minLength: 1, maxLength: 25, ...(description ? { description } : {}) })
const ids = Type.Array(Type.String())
const strategy = enumeration(strategies, { title: 'MergeStrategy' })

const moved = Type.Array(
  Type.Object(
    {
      module: Type.String(),
      field: Type.String({ description: 'what points to the record' }),
      count: Type.Integer(),
      ids: Type.Array(Type.String(), { description: 'the first hundred' }),
    },
    { title: 'MovedLinks' },
  ),
)

const changes = Type.Array(
  Type.Object(
    { field: Type.String(), from: Type.Unknown(), to: Type.Unknown() },
    { title: 'MergeChange' },
  ),
)

export const companyMerging = mergingOf(Company, 'Company', companyKey, companyLikeness)
export const contactMerging = mergingOf(Contact, 'Contact', contactKey, contactLikeness)

/** Finding duplicates of a record, merging them, and undoing a merge. `name` is that of its schema. */
function mergingOf(record: AnyRecord, name: string, keyOf: KeyOf, likeness: Likeness) {
  const { module, word } = record
  return {
    duplicates: operation({
      name: `list_duplicate_${module}`,
      summary: `List possible duplicates among ${module}`,
      description:
        'The most certain duplicates come first. A page may have few groups and still have a `next_cursor`, because the work per page is limited.',
      can: { module, action: 'read' },
      writes: false,
      lane: 'heavy',
      input: {
        query: Type.Object({
          limit: pageSize('groups per page (25)'),
          items_per_page: pageSize('same as limit'),
          next_cursor: Type.Optional(
            Type.String({ maxLength: 4000, description: 'from the previous answer' }),
          ),
        }),
      },
      output: Type.Object({
        results: arrayOf(groupSchema(record, name, likeness)),
        next_cursor: orNull(Type.String()),
      }),
      run: (ctx, { query }) =>
        findDuplicates(ctx, record, likeness, {
          limit: sizeUnderEitherName(query) ?? 25,
          cursor: query.next_cursor,
        }),
    }),
    merge: operation({
      name: `merge_${module}`,
      summary: `Merge ${module}`,
      description:
        'Fields are merged by strategy; links and activity of the merged records move to the ' +
        'primary. `primary_wins` keeps the fields of the primary, `fill_empty` (the default) fills its empty fields from the others in their order, `newest_wins` takes for each field the value that was updated last and is not empty. Tags are united. It can be undone for 30 days.',
      can: { module, action: 'update' },
      writes: true,
      isVersioned: true,
      input: {
        body: Type.Object({
          primary_id: recordId(`the ${word} that the others are merged into`),
          merge_ids: Type.Array(recordId(), {
            minItems: 1,
            maxItems: mostMerged,
            description: `the ${module} that are merged into it`,
          }),
          strategy: Type.Optional(strategy),
          dry_run: Type.Optional(
            Type.Boolean({
              description: 'dry run: answers what would happen, and changes nothing',
            }),
          ),
        }),
      },
      output: outcomeSchema(record, `Merged${name}`, {
        merge_id: orNull(Type.String({ description: 'for the undo; null of a dry run' })),
        merged_ids: ids,
        strategy,
        dry_run: Type.Boolean(),
        moved,
        changes,
      }),
      run: (ctx, { body, ifMatch }) => mergeRecords(ctx, record, keyOf, body, ifMatch),
    }),
    undo: operation({
      name: `undo_merge_of_${module}`,
      summary: `Undo a merge of ${module}`,
      description: `Possible for ${undoDays} days. What was changed since the merge stays as it is.`,
      can: { module, action: 'update' },
      writes: true,
      isVersioned: true,
      input: {
        params: Type.Object({
          merge_id: Type.String({ description: 'from the answer to the merge' }),
        }),
      },
      output: outcomeSchema(record, `Unmerged${name}`, {
        merge_id: Type.String(),
        restored_ids: ids,
        moved,
        kept: Type.Array(Type.String(), {
          description: 'fields that were changed since and are not restored',
        }),
      }),
      run: (ctx, { params, ifMatch }) => undoMerge(ctx, record, keyOf, params.merge_id, ifMatch),
    }),
  }
}

/** The record as a read returns it, with further properties of the answer. */
function outcomeSchema<P extends TProperties>(record: AnyRecord, title: string, more: P) {
  return schema<unknown>({ ...extend(readSchema(record), more), title })
}

function groupSchema(record: AnyRecord, name: string, likeness: Likeness) {
  const fields = readSchema(record).properties as { [name: string]: JSONSchema }
  const required = shownFields(likeness)
  const properties = Object.fromEntries(required.map((field) => [field, fields[field]]))
  const candidate = { title: `Duplicate${name}`, type: 'object', properties, required }
  return Type.Object(
    {
      score: Type.Number({ description: 'how sure it is, from 0 to 1' }),
      reasons: Type.Array(Type.String()),
      records_count: Type.Integer(),
      records: Type.Array(schema<unknown>(candidate), {
        description: `the oldest first, at most ${mostShown}`,
      }),
    },
    { title: `Duplicate${name}Group` },
  )
}
