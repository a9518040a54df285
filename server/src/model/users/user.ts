import { Type } from 'typebox'
import { openRowsOf } from '../../kit/record/readable.ts'
import type { AnyRecord } from '../../kit/record/record.ts'
import { record } from '../../kit/record/record.ts'
import type { Context, Query } from '../../kit/ground/context.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { audience } from '../../kit/record/scope.ts'
import { Account } from '../accounts/account.ts'
import { languages } from '../languages/language.ts'
import { associated } from '../attached/associated.ts'
import { projectRights } from '../attached/project-rights.ts'
import { person } from '../people/person.ts'
import { isErased } from '../merging/restored-alone.ts'
import { Role } from './roles/role.ts'
import { allowsMore, mayTouchAdmins } from './standing.ts'
import { workingSpan } from '../time/working-hours.ts'
import { tagged } from '../attached/tagged.ts'
import {
  boolean,
  customFields,
  date,
  integer,
  key,
  list,
  number,
  oneOf,
  reference,
  stamp,
  tagList,
  text,
  url,
} from '../../kit/record/fields.ts'

const absence = Type.Object(
  { start_date: Type.String({ format: 'date' }), end_date: Type.String({ format: 'date' }) },
  { title: 'Absence', additionalProperties: false },
)

const ofUser = "Of what the caller may read, the number of this user's"

/** Whether a user `t` was invited and has not joined yet, even if the link has expired. */
export const isInvited = '(not t.is_active and t.is_fir_login and t.password_hash is null)'

/** A person of the organization (specification 2.3, UserProfile). */
export const UserProfile = record(
  {
    module: 'users',
    number: 9,
    word: 'user',
    title: 'full_name',
    open: true,
    rights: {
      owners: ['id', 'created_by'],
      defaults: { member: ['none', 'all', 'none', 'none'] },
      attached,
      can(ctx, action, allowed) {
        const role = (condition: Query) => sql`not exists (select from roles r
          where r.organization_id = $organization and r.id = t.role_id and ${condition})`
        if (action !== 'update') return sql`(${allowed} and ${role(allowsMore(ctx))})`
        const isTouchable = role(sql`(r.kind = 'admin' and not ${mayTouchAdmins(ctx)})`)
        // everybody changes their own name, picture and language
        return sql`(t.id = ${ctx.actor.user_id} or (${allowed} and ${isTouchable}))`
      },
    },
    life: {
      // never removed: their name is shown with what they did
      retention: null,
      handOver: [{ kind: 'reports', column: 'reports_to' }],
      isErased: (ctx) => isErased(ctx, 'user_ids'),
    },
    find: {
      search: ['full_name', 'email'],
      searchAlso: { phones: ['phone_no'] },
      searched: true,
      searchable: true,
    },
    apps: {
      scope: { word: 'user', things: 'the people in your organization' },
    },
    events: {
      // there is no user_deleted: a removed user is deactivated for good
      kinds: {
        user_created: { on: 'created', summary: 'A user joined the organization' },
        user_updated: { on: 'updated', summary: 'The profile of a user changed' },
        user_deactivated: {
          on: 'deleted',
          summary: 'A user was deactivated',
          after: { is_active: false },
          changes: { is_active: true },
        },
      },
    },
  },
  {
    profile_id: key(),
    user_id: text(25, { readOnly: true, column: 'id', isUnshown: true }),
    full_name: text(255, { required: true }),
    email: text(320, { required: true, schema: { format: 'email' }, folded: 't.email_key' }),
    phone_no: text(50),
    designation: text(255),
    department: text(255),
    tags: tagList({ ...tagged, default: [] }),
    role_id: reference(
      {
        table: 'roles',
        shows: null,
        to: (): AnyRecord => Role,
        by: {
          role_id: { column: 'id' },
          id: { column: 'id' },
          role_name: { column: 'role_name', name: 'role_name' },
        },
      },
      { required: true },
    ),
    role: text(100, {
      nullable: true,
      expression: `(select r.role_name from ${openRowsOf('roles')} r
        where r.organization_id = $organization and r.id = t.role_id)`,
    }),
    organization: text(25, { readOnly: true, column: 'organization_id', isUnshown: true }),
    account_id: reference({
      table: 'accounts',
      shows: null,
      to: (): AnyRecord => Account,
      by: { account_id: { column: 'id' }, id: { column: 'id' } },
    }),
    is_active: boolean({ default: true }),
    is_fir_login: boolean({ readOnly: true }),
    is_invited: boolean({
      description: 'whether the person was invited and has not come yet',
      filterable: false,
      expression: isInvited,
    }),
    is_demo_data: boolean({ default: false, isUnshown: true }),
    is_team_head: boolean({ default: false }),
    reports_to: person(),
    joining_date: date(),
    // null for eight hours on each working day of the organization
    weekly_hours: number({ schema: { minimum: 0, maximum: 168 }, audience: 'internal' }),
    // empty for those of the organization
    working_hours: list(workingSpan, { default: [], audience: 'internal', filterable: false }),
    absences: list(absence, { default: [], audience: 'internal', filterable: false }),
    // the language of mails to them; null for the organization's
    language: oneOf(languages, { filterable: false }),
    timezone: text(64, { schema: { format: 'time-zone' }, filterable: false }),
    // the format of dates and numbers; null for the usual one of the language
    locale: text(35, { schema: { format: 'locale' }, filterable: false }),
    profile_image: url({ isUnshown: true }),
    cover_image: url({ isUnshown: true }),
    background_image: url({ isUnshown: true }),
    // the specification's name for it; only the invited person knows its value
    invite_token: text(500, {
      nullable: true,
      isUnshown: true,
      filterable: false,
      expression: 'null::text',
    }),
    projects: integer({
      nullable: true,
      description: `${ofUser} projects.`,
      filterable: false,
      expression: associated.countOfUser('project'),
    }),
    tasks: integer({
      nullable: true,
      description: `${ofUser} open tasks.`,
      filterable: false,
      expression: associated.tasksOfUser,
    }),
    deals: integer({
      nullable: true,
      description: `${ofUser} deals.`,
      audience: 'internal',
      filterable: false,
      expression: associated.countOfUser('deal'),
    }),
    custom_fields: customFields(),
    creation_time: stamp(),
    last_update_time: stamp(),
  },
)

/** Confined callers see themselves, the others of their account, and those who serve them. */
function attached(ctx: Context): Query {
  const { actor } = ctx
  const accounts = audience(ctx, Account)
  const projects = audience(ctx, projectRights)
  const theirs = sql`${mine(ctx)} and t.deleted_at is null`
  return sql`(t.id = ${actor.user_id} or t.account_id = ${actor.account_id}
    or exists (select from users u where u.organization_id = $organization and u.id = t.id and (
      exists (select from accounts t where ${theirs} and t.account_owner = u.id and ${accounts})
      or exists (select from projects t where ${theirs} and t.project_type = 'project' and ${projects}
        and (t.project_owner = u.id or t.project_manager = u.id or exists
          (select from project_members m where m.organization_id = $organization
            and m.project_id = t.id and m.user_id = u.id))))))`
}
