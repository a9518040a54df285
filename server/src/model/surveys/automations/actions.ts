import { Type } from 'typebox'
import type { Static, TObject } from 'typebox'
import type { Context } from '../../../kit/ground/context.ts'
import { badField, badFields, renamed } from '../../../kit/ground/errors.ts'
import type { JSONSchema } from '../../../kit/ground/json-schema.ts'
import { enumeration, schema } from '../../../kit/ground/json-schema.ts'
import { unknownKeys } from '../../../kit/ground/nearest.ts'
import { all, mine, sql } from '../../../kit/ground/sql.ts'
import { updateSchema } from '../../../kit/record/schema.ts'
import { rights } from '../../../kit/record/scope.ts'
import { checkBody } from '../../../kit/record/validate.ts'
import { Company } from '../../companies/company.ts'
import { Contact } from '../../contacts/contact.ts'
import { ProjectOrDeal } from '../../projects/project.ts'

const id = Type.String({ minLength: 1, maxLength: 25 })
const line = Type.String({ pattern: '\\S', maxLength: 255 })
const words = Type.String({ maxLength: 5000 })

/** The configuration of each action, by its type. */
const configs = {
  create_task: Type.Object({
    title: line,
    description: Type.Optional(words),
    owner: Type.Optional(
      Type.String({ minLength: 1, maxLength: 25, description: 'the id of a user' }),
    ),
    of_account_owner: Type.Optional(
      Type.Boolean({
        description:
          'the task is of the owner of the respondent’s account, or of the survey’s; of `owner` where there is none',
      }),
    ),
    project_id: Type.Optional(id),
    due_in_days: Type.Optional(Type.Integer({ minimum: 0, maximum: 3650 })),
  }),
  notify: Type.Object({
    user_ids: Type.Optional(Type.Array(id, { minItems: 1, maxItems: 100 })),
    account_owner: Type.Optional(
      Type.Boolean({
        description: 'the owner of the respondent’s account, or of the survey’s, is notified, too',
      }),
    ),
    title: Type.Optional(line),
  }),
  send_email: Type.Object({
    to: Type.Optional(
      Type.String({ maxLength: 320, description: '`respondent` (the default), or an address' }),
    ),
    subject: line,
    message: words,
  }),
  comment: Type.Object({
    on: Type.Optional(
      enumeration(['contact', 'account'], {
        title: 'AutomationSubject',
        description: 'of the respondent (contact)',
      }),
    ),
    text: Type.String({ pattern: '\\S', maxLength: 5000, description: 'what the comment says' }),
  }),
  add_tag: Type.Object({ tag: line }),
  update_field: Type.Object({
    module: Type.Optional(enumeration(['contacts', 'companies'], { title: 'AutomationModule' })),
    field: line,
    value: Type.Unknown(),
  }),
  webhook: Type.Object({ url: Type.String({ format: 'web-address', maxLength: 2048 }) }),
}

export type ActionType = keyof typeof configs
export type Configs = { [type in ActionType]: Static<(typeof configs)[type]> }
export type Action<T extends ActionType = ActionType> = {
  [type in T]: { type: type; config: Configs[type] }
}[T]

const labels: { [type in ActionType]: string } = {
  create_task: 'Create a task',
  notify: 'Notify people',
  send_email: 'Send an e-mail',
  comment: 'Comment on the respondent’s contact or account',
  add_tag: 'Tag the contact with the respondent’s e-mail',
  update_field: 'Update a field of the respondent’s contact or its company',
  webhook: 'Send the response to a URL',
}

export const actionType = enumeration(Object.keys(configs) as ActionType[], {
  title: 'SurveyActionType',
})

/** The actions that an automation can take, each with the schema of its `config`. */
export const actions = (Object.keys(configs) as ActionType[]).map((type) => ({
  type,
  label: labels[type],
  config: configs[type] as unknown as JSONSchema,
}))

/** An action as a read shows it. */
export const actionSchema = schema<Action>({
  anyOf: actions.map(({ type, config }) =>
    Type.Object({ type: Type.Literal(type), config: config as unknown as TObject }),
  ),
})

type ActionInput = { type?: unknown; config?: unknown }

/** Checks that the configs of actions fit their types; 400 names the path under `at`. */
export async function checkActions(
  ctx: Context,
  inputs: ActionInput[],
  at: string,
): Promise<Action[]> {
  for (const [index, input] of inputs.entries()) {
    const path = `${at}.${index}`
    const config = input.config ?? {}
    const known = actions.find(({ type }) => type === input.type)
    if (!known) {
      const types = actions.map((each) => each.type).join(', ')
      throw badField(`${path}.type`, `must be one of ${types}`)
    }
    under(`${path}.config`, () => checkBody(known.config, config))
    const names = Object.keys((known.config.properties ?? {}) as object)
    const errors = [
      ...unknownKeys(input, ['type', 'config'], path),
      ...unknownKeys(config, names, `${path}.config`),
    ]
    if (errors.length) throw badFields(errors)
    const action = { type: known.type, config } as Action
    if (action.type === 'notify' && !action.config.user_ids && !action.config.account_owner) {
      throw badField(`${path}.config.user_ids`, 'is required, or account_owner')
    }
    if (action.type === 'update_field') {
      const { module = 'contacts', field, value } = action.config
      const body = updateSchema(module === 'contacts' ? Contact : Company)
      under(`${path}.config`, () => checkBody(body, { [field]: value }))
    }
    await checkLinks(ctx, action, `${path}.config`)
  }
  return inputs as Action[]
}

/** 400 for people who do not exist in the organization, and for projects that the caller does not see. */
async function checkLinks(ctx: Context, { type, config }: Action, at: string) {
  const links: [field: string, table: string, ids: string[]][] =
    type === 'notify'
      ? [['user_ids', 'users', config.user_ids ?? []]]
      : type === 'create_task'
        ? [
            ['owner', 'users', config.owner ? [config.owner] : []],
            ['project_id', 'projects', config.project_id ? [config.project_id] : []],
          ]
        : []
  for (const [field, table, ids] of links) {
    if (!ids.length) continue
    const visible = table === 'projects' ? rights(ctx, ProjectOrDeal, 'read') : undefined
    const found = await ctx.all<{ id: string }>(sql`select t.id from ${sql.table(table)} t
      where ${all(mine(ctx), visible)} and t.id = any(${ids}) and t.deleted_at is null`)
    if (new Set(ids).size !== found.length) throw badField(`${at}.${field}`, 'no such record')
  }
}

/** The errors of the check, with this path before their fields. */
function under(path: string, check: () => void) {
  try {
    check()
  } catch (error) {
    throw renamed(error, (field) => `${path}.${field}`)
  }
}
