import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { Context } from '../../kit/ground/context.ts'
import { badField, forbidden, notFound } from '../../kit/ground/errors.ts'
import type { Change } from '../../kit/ground/event.ts'
import { newId } from '../../kit/ground/ids.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { mayAll } from '../../kit/record/scope.ts'
import { announce } from '../../kit/write/announce.ts'
import type { Widget, WidgetField } from './widget.ts'
import { feedback, widgetFieldType, widgetOf } from './widget.ts'

const color = Type.Optional(
  Type.String({ pattern: '^#[0-9a-fA-F]{6}$', description: 'such as #14704C' }),
)
const line = Type.String({ pattern: '\\S', maxLength: 200 })

const fieldInput = Type.Object(
  {
    name: Type.String({
      pattern: '^[a-z][a-z0-9_]{0,39}$',
      description: 'the name of its answers',
    }),
    label: line,
    type: widgetFieldType,
    required: Type.Optional(Type.Boolean({ description: 'false when absent' })),
  },
  { additionalProperties: false },
)

export const updateBody = Type.Object(
  {
    theme: Type.Optional(
      Type.Object(
        { primary_color: color, background_color: color, text_color: color },
        { additionalProperties: false },
      ),
    ),
    form: Type.Optional(
      Type.Object(
        {
          title: Type.Optional(line),
          submit_label: Type.Optional(line),
          thanks: Type.Optional(line),
          fields: Type.Optional(Type.Array(fieldInput, { minItems: 1, maxItems: 20 })),
        },
        { additionalProperties: false },
      ),
    ),
    is_active: Type.Optional(Type.Boolean({ description: 'false: no feedback is accepted' })),
    new_key: Type.Optional(
      Type.Boolean({ description: 'replaces the public key; the previous one stops working' }),
    ),
  },
  { title: 'WidgetConfigUpdate' },
)

/** Changes the feedback form: absent members stay as they are. 403 without the right to all surveys. */
export async function updateWidget(ctx: Context, body: Static<typeof updateBody>): Promise<Widget> {
  if (!mayAll(ctx.actor, 'surveys', 'update')) {
    throw forbidden('Your role must be allowed to update all surveys')
  }
  const before = await widgetOf(ctx, true)
  if (!before) throw notFound('Widget')
  const fields = body.form?.fields ? fieldsOf(body.form.fields) : before.form.fields
  const after: Widget = {
    key: body.new_key ? newId() : before.key,
    theme: { ...before.theme, ...body.theme },
    form: { ...before.form, ...body.form, fields },
    is_active: body.is_active ?? before.is_active,
  }
  const changes = changesOf(before, after)
  if (!changes.length) return after
  await ctx.run(sql`update widget_settings t
    set widget_key = ${after.key}, theme = ${JSON.stringify(after.theme)}::jsonb,
      form = ${JSON.stringify(after.form)}::jsonb, is_active = ${after.is_active}
    where ${mine(ctx)} and t.widget_key = ${before.key}`)
  const name = after.form.title
  const title = 'Feedback form changed'
  await announce(ctx, feedback, 'updated', { id: null, changes, name, title })
  return after
}

/** Field names that a submission already uses for something else. */
const reserved = ['key', 'answers', 'page_url']

function fieldsOf(inputs: Static<typeof fieldInput>[]): WidgetField[] {
  return inputs.map(({ required = false, ...field }, i) => {
    const { name } = field
    const at = `form.fields.${i}.name`
    if (reserved.includes(name)) throw badField(at, `must not be any of ${reserved.join(', ')}`)
    if (inputs.findIndex((each) => each.name === name) < i) throw badField(at, 'is used twice')
    return { ...field, required }
  })
}

function changesOf(before: Widget, after: Widget): Change[] {
  return (['key', 'theme', 'form', 'is_active'] as const).flatMap((name) => {
    const [from, to] = [before[name], after[name]]
    return JSON.stringify(from) === JSON.stringify(to) ? [] : [{ field: name, from, to }]
  })
}
