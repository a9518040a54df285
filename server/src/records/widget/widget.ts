import { isObject } from '../../kit/ground/object.ts'
import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { Context, Queries } from '../../kit/ground/context.ts'
import { hasEncodedWord } from '../../kit/ground/email-address.ts'
import type { FieldError } from '../../kit/ground/errors.ts'
import { badField, badFields } from '../../kit/ground/errors.ts'
import { newId } from '../../kit/ground/ids.ts'
import { enumeration, orNull, schema } from '../../kit/ground/json-schema.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { wholeWebAddress } from '../../kit/ground/web-address.ts'
import { announce } from '../../kit/write/announce.ts'
import { recordActivity } from '../health/activity.ts'

/** The name of the feedback form in the log; it is no record. */
export const feedback = { module: 'widget', word: 'feedback', events: undefined }

export const widgetFieldType = enumeration(['text', 'long-text', 'email', 'rating'], {
  title: 'WidgetFieldType',
})

const widgetField = Type.Object(
  {
    name: Type.String({ description: 'the name of its answers' }),
    label: Type.String(),
    type: widgetFieldType,
    required: Type.Boolean(),
  },
  { title: 'WidgetField' },
)

const config = Type.Object(
  {
    key: orNull(Type.String({ description: 'the public key; null without an organization' })),
    theme: Type.Object(
      {
        primary_color: Type.String(),
        background_color: Type.String(),
        text_color: Type.String(),
      },
      { title: 'WidgetTheme' },
    ),
    form: Type.Object(
      {
        title: Type.String(),
        submit_label: Type.String(),
        thanks: Type.String(),
        fields: Type.Array(widgetField),
      },
      { title: 'WidgetForm' },
    ),
    is_active: Type.Boolean(),
  },
  { title: 'WidgetConfig' },
)

/** The feedback form as shown to everybody. */
export const widgetSchema = schema<Static<typeof config>>({ ...config })

export type WidgetField = Static<typeof widgetField>
export type Widget = Static<typeof config> & { key: string }

/** The default colours of the form. */
export const initialTheme: Widget['theme'] = {
  primary_color: '#3B82F6',
  background_color: '#FFFFFF',
  text_color: '#0F172A',
}

const initial: Pick<Widget, 'theme' | 'form'> = {
  theme: initialTheme,
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

/** The initial form, shown if no organization is known; it accepts no feedback. */
export const unownedWidget = { key: null, ...initial, is_active: false }

/** Inserts the initial feedback form of a new organization. */
export async function seedWidget(queries: Queries, organization_id: string): Promise<void> {
  await queries.run(sql`
    insert into widget_settings (organization_id, id, widget_key, theme, form)
    values (${organization_id}, ${newId()}, ${newId()}, ${JSON.stringify(initial.theme)}::jsonb,
      ${JSON.stringify(initial.form)}::jsonb)`)
}

/** The organization's feedback form, locked for a change; undefined if it has none. */
export function widgetOf(ctx: Context, forUpdate = false): Promise<Widget | undefined> {
  return ctx.one<Widget>(sql`
    select t.widget_key as key, t.theme, t.form, t.is_active from widget_settings t
    where ${mine(ctx)} order by t.id limit 1 ${forUpdate ? sql`for update` : sql``}`)
}

type Answers = { [name: string]: unknown }

/** The maximum length of a response as JSON: anybody may send one, with answers beyond those of the form. */
const mostCharacters = 200_000

/**
 * Stores a response with its log entry: the answers by name, at the top level or as `answers`. 400
 * names invalid answers; a response without any answer is 400 too; 413 over the quota of rows.
 */
export async function storeResponse(
  ctx: Context,
  { form }: Widget,
  { page_url, ...sent }: Answers,
): Promise<void> {
  ctx.services.rowQuota.checkAnswer(ctx.organization.id)
  const answers = answersOf(sent)
  checkAnswers(form, answers)
  // anybody may send it, and readers of the response may follow it
  if (typeof page_url === 'string' && page_url && !wholeWebAddress(page_url)) {
    throw badField('page_url', 'must be a web address (http or https)')
  }
  const id = newId()
  const email = typeof answers.email === 'string' ? answers.email.trim() : null
  await ctx.run(sql`
    insert into widget_responses (organization_id, id, answers, email, page_url, user_id, creation_time)
    values (${ctx.organization.id}, ${id}, ${JSON.stringify(answers)}::jsonb, ${email},
      ${typeof page_url === 'string' ? page_url : null}, ${ctx.actor.user_id},
      ${ctx.now().toISOString()})`)
  recordActivity(ctx, {
    kind: 'feedback',
    source_id: id,
    module_id: null,
    reference_id: null,
    at: ctx.now().toISOString(),
    emails: [email],
    users: [ctx.actor.user_id],
  })
  const changes = [{ field: 'answers', from: null, to: answers }]
  await announce(ctx, feedback, 'received', { id, name: email, changes })
}

/** The answers of a response, which may be in `answers`. */
function answersOf(sent: Answers): Answers {
  const { answers, ...others } = sent
  return isObject(answers) ? { ...others, ...answers } : sent
}

function checkAnswers({ fields }: Widget['form'], answers: Answers) {
  const errors: FieldError[] = []
  if (!Object.values(answers).some(isAnswer)) {
    const field = fields[0]?.name ?? 'answers'
    errors.push({ field, message: 'or another answer is required' })
  }
  for (const field of fields) {
    const message = problem(field, answers[field.name])
    if (message) errors.push({ field: field.name, message })
  }
  if (JSON.stringify(answers).length > mostCharacters) {
    const message = `must be at most ${mostCharacters} characters together`
    errors.push({ field: 'answers', message })
  }
  if (errors.length) throw badFields(errors)
}

function isAnswer(value: unknown): boolean {
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
  // the length first: on long text the pattern takes quadratic time
  const isEmail =
    type !== 'email' ||
    (value.length <= 320 && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value) && !hasEncodedWord(value))
  return isEmail ? undefined : 'must be an e-mail address'
}
