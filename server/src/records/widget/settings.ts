import type { Context } from '../../kit/ground/context.ts'
import { badField, forbidden, notFound } from '../../kit/ground/errors.ts'
import { newId } from '../../kit/ground/ids.ts'
import type { Input, Operation } from '../../kit/ground/operation.ts'
import { levelOf } from '../../kit/record/scope.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import type { Widget, WidgetField } from './widget.ts'
import { widgetFieldTypes, widgetOf, widgetSchema } from './widget.ts'
import type { Change } from '../../kit/ground/event.ts'

const color = { type: 'string', pattern: '^#[0-9a-fA-F]{6}$', description: 'such as #14704C' }
const line = { type: 'string', pattern: '\\S', maxLength: 200 }

const field = {
  type: 'object',
  properties: {
    name: {
      type: 'string',
      pattern: '^[a-z][a-z0-9_]{0,39}$',
      description: 'what its answers are kept under',
    },
    label: line,
    type: { type: 'string', enum: [...widgetFieldTypes] },
    required: { type: 'boolean', description: 'false when absent' },
  },
  required: ['name', 'label', 'type'],
  additionalProperties: false,
}

/**
 * Changes the organization's feedback form: of `theme` and `form` what is given, the rest stays. For
 * whoever may change all surveys. Answers that were given to a field that is gone are kept.
 */
export const changeWidget: Operation = {
  name: 'update_widget_config',
  summary: 'Change the feedback form of the organization',
  can: { module: 'surveys', action: 'update' },
  topic: 'widget',
  writes: true,
  input: {
    body: {
      title: 'WidgetConfigUpdate',
      type: 'object',
      properties: {
        theme: {
          type: 'object',
          properties: { primary_color: color, background_color: color, text_color: color },
          additionalProperties: false,
        },
        form: {
          type: 'object',
          properties: {
            title: line,
            submit_label: line,
            thanks: line,
            fields: { type: 'array', minItems: 1, maxItems: 20, items: field },
          },
          additionalProperties: false,
        },
        is_active: { type: 'boolean', description: 'false where no feedback is taken' },
        new_key: { type: 'boolean', description: 'makes another key; the former is nobody’s' },
      },
    },
  },
  output: widgetSchema,
  async run(ctx: Context, { body = {} }: Input) {
    if (ctx.actor.is_confined || levelOf(ctx.actor, 'surveys', 'update') !== 'all') {
      throw forbidden('Only who may change all surveys may change the feedback form')
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
    if (changes.length) {
      await ctx.run(sql`update widget_settings t
        set widget_key = ${after.key}, theme = ${JSON.stringify(after.theme)}::jsonb,
          form = ${JSON.stringify(after.form)}::jsonb, is_active = ${after.is_active}
        where ${mine(ctx)} and t.widget_key = ${before.key}`)
      ctx.emit({
        type: null,
        title: 'Feedback form changed',
        module_id: null,
        reference_id: null,
        changes,
        raw_description: { action: 'updated', module: 'widget', name: after.form.title },
      })
    }
    return after
  },
}

type Given = Omit<WidgetField, 'required'> & { required?: boolean }

/** What else a submission carries by name cannot be a field. */
const taken = ['key', 'answers', 'page_url']

function fieldsOf(given: Given[]): WidgetField[] {
  return given.map(({ required = false, ...field }, i) => {
    const { name } = field
    const at = `form.fields.${i}.name`
    if (taken.includes(name)) throw badField(at, `must not be any of ${taken.join(', ')}`)
    if (given.findIndex((each) => each.name === name) < i) throw badField(at, 'is given twice')
    return { ...field, required }
  })
}

function changesOf(before: Widget, after: Widget): Change[] {
  return (['key', 'theme', 'form', 'is_active'] as const).flatMap((name) => {
    const [from, to] = [before[name], after[name]]
    return JSON.stringify(from) === JSON.stringify(to) ? [] : [{ field: name, from, to }]
  })
}
