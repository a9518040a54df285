import type { Context, Queries } from '../../kit/ground/context.ts'
import type { FieldError } from '../../kit/ground/errors.ts'
import { badFields } from '../../kit/ground/errors.ts'
import { newId } from '../../kit/ground/ids.ts'
import { mine, sql } from '../../kit/ground/sql.ts'

/** What a field of the form may be. */
export const widgetFieldTypes = ['text', 'long-text', 'email', 'rating'] as const

export type WidgetField = {
  name: string
  label: string
  type: (typeof widgetFieldTypes)[number]
  required: boolean
}

export type Widget = {
  key: string
  theme: { [name: string]: string }
  form: { title: string; submit_label: string; thanks: string; fields: WidgetField[] }
  is_active: boolean
}

/** The form as it is shown to whoever asks for it. */
export const widgetSchema = {
  title: 'WidgetConfig',
  type: 'object',
  properties: {
    key: { type: ['string', 'null'], description: 'null where nobody’s form is asked for' },
    theme: { type: 'object' },
    form: { type: 'object' },
    is_active: { type: 'boolean' },
  },
  required: ['key', 'theme', 'form', 'is_active'],
}

const usual: Pick<Widget, 'theme' | 'form'> = {
  theme: { primary_color: '#3B82F6', background_color: '#FFFFFF', text_color: '#0F172A' },
  form: {
    title: 'How are we doing?',
    submit_label: 'Send',
    thanks: 'Thank you!',
    fields: [
      { name: 'rating', label: 'Rating', type: 'rating', required: false },
      { name: 'message', label: 'Your feedback', type: 'long-text', required: false },
      { name: 'email', label: 'E-mail', type: 'email', required: false },
    ],
  },
}

/** The form that a fresh organization has; of no organization, it takes nothing. */
export const unownedWidget = { key: null, ...usual, is_active: false }

/** The feedback form that a fresh organization starts with. */
export async function seedWidget(queries: Queries, organization_id: string): Promise<void> {
  await queries.run(sql`
    insert into widget_settings (organization_id, id, widget_key, theme, form)
    values (${organization_id}, ${newId()}, ${newId()}, ${JSON.stringify(usual.theme)}::jsonb,
      ${JSON.stringify(usual.form)}::jsonb)`)
}

/** The organization's feedback form, locked where it will change; undefined where it has none. */
export function widgetOf(ctx: Context, forUpdate = false): Promise<Widget | undefined> {
  return ctx.one<Widget>(sql`
    select t.widget_key as key, t.theme, t.form, t.is_active from widget_settings t
    where ${mine(ctx)} order by t.id limit 1 ${forUpdate ? sql`for update` : sql``}`)
}

/** What one response may hold, as JSON: anybody may send one, and what the form does not ask is kept. */
const mostSaid = 200_000

/**
 * Keeps a response with its log entry: the answers by name, themselves or as `answers`. 400 names
 * what does not fit the form; one without any answer says nothing and is 400 too.
 */
export async function storeResponse(
  ctx: Context,
  { form }: Widget,
  { page_url, ...sent }: { [name: string]: unknown },
): Promise<void> {
  const { answers, ...beside } = sent
  const given = isObject(answers) ? { ...beside, ...answers } : sent
  const errors: FieldError[] = []
  if (!Object.values(given).some(says)) {
    const field = form.fields[0]?.name ?? 'answers'
    errors.push({ field, message: 'or another answer is required' })
  }
  for (const field of form.fields) {
    const message = problem(field, given[field.name])
    if (message) errors.push({ field: field.name, message })
  }
  if (JSON.stringify(given).length > mostSaid) {
    errors.push({ field: 'answers', message: `must be at most ${mostSaid} characters together` })
  }
  if (errors.length) throw badFields(errors)
  const id = newId()
  const email = typeof given.email === 'string' ? given.email.trim() : null
  await ctx.run(sql`
    insert into widget_responses (organization_id, id, answers, email, page_url, user_id, creation_time)
    values (${ctx.organization.id}, ${id}, ${JSON.stringify(given)}::jsonb, ${email},
      ${typeof page_url === 'string' ? page_url : null}, ${ctx.actor.user_id},
      ${ctx.now().toISOString()})`)
  ctx.emit({
    type: null,
    title: 'Feedback received',
    module_id: null,
    reference_id: id,
    changes: [{ field: 'answers', from: null, to: given }],
    raw_description: { action: 'received', module: 'widget', name: email },
  })
}

function isObject(value: unknown): value is { [name: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function says(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() !== ''
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0
  return value !== null && value !== undefined
}

function problem({ type, required }: WidgetField, value: unknown): string | undefined {
  if ((value ?? '') === '') return required ? 'is required' : undefined
  if (type === 'rating') {
    const isRating = Number.isInteger(Number(value)) && Number(value) >= 1 && Number(value) <= 5
    return isRating ? undefined : 'must be a whole number from 1 to 5'
  }
  if (typeof value !== 'string') return 'must be text'
  if (value.length > 10_000) return 'must be at most 10,000 characters'
  const isEmail = type !== 'email' || /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value)
  return isEmail ? undefined : 'must be an e-mail address'
}
