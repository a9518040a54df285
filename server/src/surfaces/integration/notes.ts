import { Type } from 'typebox'
import { enumeration, orNull } from '../../kit/ground/json-schema.ts'
import { operation } from '../../kit/ground/operation.ts'
import type { Context } from '../../kit/ground/context.ts'
import { badField, Failure, notFound } from '../../kit/ground/errors.ts'
import { readOne } from '../../kit/read/one.ts'
import type { AnyRecord } from '../../kit/record/record.ts'
import { capitalized } from '../../kit/record/record.ts'
import { readSchema } from '../../kit/record/schema.ts'
import { requireScope } from '../../records/apps/scopes.ts'
import { Account } from '../../model/accounts/account.ts'
import { Company } from '../../model/companies/company.ts'
import { Contact } from '../../model/contacts/contact.ts'
import { Interaction } from '../../model/interactions/interaction.ts'
import { interactions } from '../../records/interactions/operations.ts'
import { typeOfId } from '../../records/projects/move.ts'
import { requireScopeOfTask } from './tasks.ts'

const modules = ['companies', 'contacts', 'accounts', 'deals', 'projects', 'tasks'] as const
type Module = (typeof modules)[number]

const noteKinds = ['note', 'call', 'mail', 'visit'] as const

/** Writes a comment on a record: internal, unless it is to be shared or its author is a customer. */
export const logNote = operation({
  name: 'log_note',
  summary: 'Write a note on a record',
  can: { module: 'interactions', action: 'create' },
  // the write scope of the record in the call
  scope: null,
  scopes: ['company.write', 'contact.write', 'deal.write', 'project.write'],
  writes: true,
  input: {
    body: Type.Object(
      {
        module: enumeration(modules, { title: 'NotedModule', description: 'of the record' }),
        record_id: Type.String({
          minLength: 1,
          maxLength: 25,
          description: 'the id of the record',
        }),
        content: Type.String({
          minLength: 1,
          maxLength: 10_000,
          pattern: '\\S',
          description: 'the note, as text',
        }),
        kind: Type.Optional(
          enumeration(noteKinds, {
            title: 'NoteKind',
            description: 'what it tells of; note by default',
          }),
        ),
        happened_at: Type.Optional(
          orNull(
            Type.String({
              format: 'date-time',
              description: 'when it took place; the time of writing by default',
            }),
          ),
        ),
        is_shared: Type.Optional(
          Type.Boolean({ description: 'whether customers and partners see it; false by default' }),
        ),
      },
      { additionalProperties: false },
    ),
  },
  output: readSchema(Interaction),
  async run(ctx, input) {
    const { module, record_id: reference_id, content, kind, happened_at, is_shared } = input.body
    await requireWriting(ctx, module, reference_id).catch((error: unknown) => {
      const isUnknown = error instanceof Failure && error.status === 404
      throw isUnknown ? badField('record_id', (error as Failure).message) : error
    })
    const shared = is_shared ?? (ctx.actor.is_external ? undefined : false)
    const body = {
      module_name: module,
      reference_id,
      content,
      is_shared: shared,
      ...(happened_at === undefined ? {} : { happened_at }),
      ...(kind && kind !== 'note' ? { interaction_type: kind } : {}),
    }
    return interactions.create.run(ctx, { ...input, body })
  },
})

/** 403 if the app may not write the record; 404 if it has another type or does not exist. */
async function requireWriting(ctx: Context, module: Module, id: string): Promise<void> {
  if (module === 'tasks') return requireScopeOfTask(ctx, id, 'write')
  const { word, record } = opened[module]
  requireScope(ctx.actor, `${word}.write`)
  if (record) await readOne(ctx, record, id)
  else if ((await typeOfId(ctx, id)) !== word) throw notFound(capitalized(word))
}

/** The scope of apps that opens a kind, and its record; none of deals and projects, which are told apart by their type. */
const opened = {
  companies: { word: 'company', record: Company },
  contacts: { word: 'contact', record: Contact },
  // a company and its account are one customer
  accounts: { word: 'company', record: Account },
  deals: { word: 'deal', record: undefined },
  projects: { word: 'project', record: undefined },
} satisfies {
  [module in Exclude<Module, 'tasks'>]: { word: string; record: AnyRecord | undefined }
}
