import { Type } from 'typebox'
import type { Context } from '../../../kit/ground/context.ts'
import { badField, unauthorized } from '../../../kit/ground/errors.ts'
import { enumeration, orNull } from '../../../kit/ground/json-schema.ts'
import { Answer, operation } from '../../../kit/ground/operation.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import { endThisSession } from '../../../records/users/sessions.ts'
import { languageOf, languages } from '../../../model/languages/language.ts'
import { roleKinds } from '../../../model/users/roles/permissions.ts'
import { continueSignIn, signIn } from '../codes.ts'
import { positionNow } from '../live/stream.ts'
import { startBrowserSession } from '../sign-in.ts'
import { noCookie, sessionCookie } from './cookie.ts'

const text = Type.String()

/** What a front end needs first: the caller, their organization, and what they may do. */
const webSession = Type.Object(
  {
    user: Type.Object({
      user_id: text,
      full_name: text,
      email: text,
      profile_image: orNull(text),
      timezone: Type.String({ description: 'an IANA time zone' }),
      locale: Type.String({ description: 'a BCP 47 tag, such as en or en-GB' }),
      language: enumeration(languages, {
        title: 'UserLanguage',
        description: 'of the texts of the screens and of mails',
      }),
    }),
    organization: Type.Object({
      organization_id: text,
      name: text,
      timezone: Type.String({ description: 'an IANA time zone' }),
      currency_unit: Type.String({ description: 'an ISO 4217 code' }),
      logo_url: orNull(text),
      week_starts_on: Type.Integer({ description: '1, Monday, to 7' }),
    }),
    role: Type.Object({
      role_id: text,
      role_name: text,
      kind: Type.String({ description: roleKinds.join(', ') }),
      is_confined: Type.Boolean({
        description: 'whether the user sees only what they are attached to',
      }),
    }),
    permission: Type.Record(Type.String(), Type.Record(Type.String(), Type.String()), {
      description: 'by module and action: `all`, `team`, `own` or `none`',
    }),
    preferences: Type.Record(Type.String(), Type.Unknown()),
    unread_notifications: Type.Integer(),
    live_position: Type.String({
      description:
        '`after` of `GET /api/stream/` for a stream that sends whatever changes from now on',
    }),
  },
  { title: 'WebSession' },
)

const optionalText = (maxLength: number, description?: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength, ...(description ? { description } : {}) }))

const topic = 'sessions'

/** Sessions of browsers, with a cookie instead of tokens. */
export const webSessions = {
  start: operation({
    name: 'start_web_session',
    summary: 'Sign in a browser',
    description:
      'As `POST /api/login/` does, for pages of this service: the session is in a cookie that no script can read. Takes an e-mail and a password, with a `code` of users who have set up one-time codes, or the `challenge` of a 401 `code_required` with a code.',
    topic,
    can: 'anyone',
    writes: false,
    fromPages: true,
    lane: 'sign_in',
    input: {
      body: Type.Object({
        email: optionalText(320),
        password: optionalText(1000),
        organization: optionalText(255, 'id or name; where the e-mail belongs to several'),
        code: optionalText(50, 'a one-time or recovery code'),
        challenge: optionalText(2000, 'in place of e-mail and password'),
      }),
    },
    output: webSession,
    async run(ctx, { body, address, user_agent }) {
      const from = { address, user_agent }
      const { user, method } = body.challenge
        ? await continueSignIn(ctx, from, {
            challenge: body.challenge,
            code: needed('code', body.code),
          })
        : await signIn(ctx, from, {
            ...body,
            email: needed('email', body.email),
            password: needed('password', body.password),
          })
      const { caller, session_id, secret } = await startBrowserSession(ctx, user, {
        ...from,
        method,
      })
      const { organization_id } = user
      const cookie = sessionCookie(ctx.public_url, { organization_id, session_id, secret })
      return new Answer(await readSession(ctx.actAs(caller).reads), { cookie })
    },
  }),
  read: operation({
    name: 'read_web_session',
    needsSession: true,
    summary: 'Retrieve who is signed in',
    description: 'With a cookie or a token: the user, the organization, and what the role permits.',
    topic,
    can: 'signed_in',
    writes: false,
    enrols: true,
    input: {},
    output: webSession,
    run: readSession,
  }),
  end: operation({
    name: 'end_web_session',
    needsSession: true,
    summary: 'Sign out a browser',
    description: 'Ends this session and removes its cookie.',
    topic,
    can: 'signed_in',
    writes: true,
    enrols: true,
    input: {},
    output: null,
    async run(ctx) {
      await endThisSession(ctx)
      return new Answer(null, { cookie: noCookie(ctx.public_url) })
    },
  }),
}

function needed(field: string, value: string | undefined): string {
  if (value === undefined) throw badField(field, 'is required')
  return value
}

type Stored = {
  email: string
  profile_image: string | null
  own_timezone: string
  locale: string
  language: string
  currency_unit: string
  logo_url: string | null
  week_starts_on: number
  kind: string
  preferences: { [name: string]: unknown }
  unread_notifications: number
  horizon: string
}

/** The caller, for `GET /api/session/` and the document of the screens; 401 if they have left. */
export async function readSession(ctx: Context) {
  const { user_id, full_name, role_id, role_name, is_confined, permission } = ctx.actor
  const { id: organization_id, name, timezone } = ctx.organization
  const found = await ctx.one<Stored>(sql`
    select t.email, t.profile_image, coalesce(t.timezone, o.timezone) as own_timezone,
      coalesce(t.locale, t.language, o.language) as locale,
      coalesce(t.language, o.language) as language, o.currency_unit, o.logo_url,
      o.week_start as week_starts_on, r.kind,
      coalesce(p.content, '{}') as preferences,
      (select count(*)::int from notifications n where n.organization_id = $organization
        and n.user_id = t.id and not n.read) as unread_notifications,
      pg_snapshot_xmin(pg_current_snapshot())::text as horizon
    from users t
    join organizations o on o.organization_id = $organization
    join roles r on r.organization_id = $organization and r.id = t.role_id
    left join preferences p on p.organization_id = $organization and p.user_id = t.id
    where ${mine(ctx)} and t.id = ${user_id}`)
  if (!found) throw unauthorized('This session has ended, sign in again', 'session_ended')
  const { email, profile_image, own_timezone, locale, ...rest } = found
  const language = languageOf(rest.language) ?? 'en'
  const {
    currency_unit,
    logo_url,
    week_starts_on,
    kind,
    preferences,
    unread_notifications,
    horizon,
  } = rest
  const shown = { organization_id, name, timezone, currency_unit, logo_url, week_starts_on }
  return {
    user: { user_id, full_name, email, profile_image, timezone: own_timezone, locale, language },
    organization: shown,
    role: { role_id, role_name, kind, is_confined },
    permission,
    preferences,
    unread_notifications,
    live_position: positionNow(horizon),
  }
}
