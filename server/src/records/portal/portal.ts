import type { Context, Query } from '../../kit/ground/context.ts'
import type { Json } from '../../kit/ground/operation.ts'
import { textOf } from '../../kit/ground/html.ts'
import { all, mine, sql } from '../../kit/ground/sql.ts'
import { listPage } from '../../kit/read/list.ts'
import { forReader, linkedId } from '../../kit/record/readable.ts'
import type { AnyRecord } from '../../kit/record/record.ts'
import { Document } from '../../model/documents/document.ts'
import { Interaction } from '../../model/interactions/interaction.ts'
import { Milestone } from '../../model/milestones/milestone.ts'
import { ShownProject } from '../../model/projects/project.ts'
import { Task } from '../../model/tasks/task.ts'
import { today } from '../../model/time/dates.ts'
import type { FormField } from '../../model/forms/form-parts.ts'
import { questionsOf } from '../../model/surveys/structure.ts'
import { listMeetings } from '../calendar/list.ts'
import { tasksWithOwnFiles } from './files.ts'
import { unratedOf } from './ratings.ts'
import type { Portal, PortalProject, Waiting } from './shape.ts'

/** How many of each kind the first page of the portal shows. */
const most = { projects: 50, tasks: 50, documents: 10, comments: 6, milestones: 50 }

const day = 86_400_000

/**
 * What a customer or partner needs of their projects, as one answer: every part is a list that the caller may read by
 * itself. `project` is the one that is shown, the first where it names none of theirs.
 */
export async function portalOf(ctx: Context, project?: string): Promise<Portal> {
  const projects = await rows<StoredProject>(
    ctx,
    ShownProject,
    {
      fields: 'project_id,project_name,due_date,project_manager,project_owner,project_team',
      items_per_page: most.projects,
      sort: 'project_name',
    },
    sql`t.project_type = 'project'`,
  )
  const chosen = projects.find(({ project_id }) => project_id === project) ?? projects[0]
  const [tasks, signatures, unrated, documents, meetings, comments, milestones, me] =
    await Promise.all([
      tasksOf(ctx, chosen?.project_id),
      signaturesOf(ctx),
      chosen ? unratedOf(ctx, chosen.project_id) : [],
      documentsOf(ctx, chosen?.project_id),
      meetingsOf(ctx),
      commentsOf(ctx, chosen?.project_id),
      chosen ? milestonesOf(ctx, chosen.project_id) : [],
      profileOf(ctx),
    ])
  const now = today(ctx)
  return {
    me,
    organization: { id: ctx.organization.id, name: ctx.organization.name },
    projects: projects.map(({ project_id: id, project_name: name, due_date: go_live }) => ({
      id,
      name,
      go_live,
    })),
    project: chosen ? { ...shownProject(chosen), milestones } : null,
    next: ranked([...signatures, ...tasks, ...unrated], now),
    documents,
    meetings,
    conversation: comments,
  }
}

/** What waits for the caller, whichever of their projects or deals it is of, the most urgent first. */
export async function waitingFor(ctx: Context): Promise<Waiting[]> {
  const [tasks, signatures, unrated] = await Promise.all([
    tasksOf(ctx, undefined),
    signaturesOf(ctx),
    unratedOf(ctx),
  ])
  return ranked([...signatures, ...tasks, ...unrated], today(ctx))
}

type Person = { user_id: string; full_name: string; email?: string } | null

type StoredProject = {
  project_id: string
  project_name: string
  due_date: string | null
  project_manager: Person
  project_owner: Person
  project_team: Person[]
}

function shownProject(stored: StoredProject): Omit<PortalProject, 'milestones'> {
  const { project_id: id, project_name: name, due_date: go_live } = stored
  const people = [stored.project_manager, stored.project_owner, ...(stored.project_team ?? [])]
  const team = new Map<string, PortalProject['team'][number]>()
  for (const person of people) {
    if (!person) continue
    const { user_id, full_name, email = null } = person
    const before = team.get(user_id)
    team.set(user_id, { id: user_id, name: full_name, email: email ?? before?.email ?? null })
  }
  return { id, name, go_live, team: [...team.values()] }
}

/** Late ones first, then by the day they are due; without a day signatures come first, and ratings last. */
function ranked(waiting: Waiting[], now: string): Waiting[] {
  const order = ({ due }: Waiting) => due ?? '9999-12-31'
  return waiting
    .map((each) => ({ ...each, is_late: each.due !== null && each.due < now }))
    .toSorted((a, b) => (order(a) < order(b) ? -1 : order(a) > order(b) ? 1 : 0))
}

type StoredTask = {
  item_id: string
  title: string
  description: string | null
  due_date: string | null
  asks_for_file: boolean
  form_structure: { pages?: { fields: FormField[] }[] } | null
  form_responses: { [id: string]: unknown } | null
}

/** The open tasks that are the caller's own. */
async function tasksOf(ctx: Context, project: string | undefined): Promise<Waiting[]> {
  const { user_id: me } = ctx.actor
  const found = await rows<StoredTask>(
    ctx,
    Task,
    {
      fields: 'item_id,title,description,due_date,asks_for_file,form_structure,form_responses',
      items_per_page: most.tasks,
      sort: 'due_date',
    },
    all(
      sql`not t.is_completed`,
      sql`(t.owner = ${me} or t.users ? ${me}::text)`,
      project ? ofProject(ctx, project) : undefined,
    ),
  )
  const asking = found.flatMap(({ item_id, asks_for_file }) => (asks_for_file ? [item_id] : []))
  const answered = await tasksWithOwnFiles(ctx, asking)
  return found.map((task) => {
    const questions = questionsOf((task.form_structure?.pages ?? []) as never).filter(
      ({ type }) => type !== 'statement',
    )
    const answers = task.form_responses ?? {}
    return {
      kind: questions.length ? 'form' : 'task',
      action: questions.length
        ? 'answer'
        : task.asks_for_file && !answered.has(task.item_id)
          ? 'upload'
          : 'done',
      id: task.item_id,
      title: task.title,
      text: textOf(task.description ?? ''),
      due: task.due_date,
      is_late: false,
      person: null,
      questions: questions.length
        ? {
            count: questions.length,
            answered: questions.filter(({ id }) => answers[id] !== undefined).length,
          }
        : null,
    }
  })
}

/** Of the project or, as far as the caller may know, of none. */
function ofProject(ctx: Context, project: string): Query {
  const shown = forReader(ctx, linkedId('projects', 't.project_id'))
  return sql`(t.project_id = ${project} or ${shown} is null)`
}

/** The documents that wait for the caller's signature: those sent to the address of their profile. */
async function signaturesOf(ctx: Context): Promise<Waiting[]> {
  const found = await ctx.all<{ id: string; document_name: string; person: string | null }>(sql`
    select r.id, d.document_name, p.full_name as person
    from users u
    join signature_recipients r on r.organization_id = $organization
      and lower(r.email) = u.email_key
    join signature_requests q on q.organization_id = $organization and q.id = r.request_id
    join documents d on d.organization_id = $organization and d.id = q.document_id
    left join users p on p.organization_id = $organization and p.id = q.created_by
    where ${mine(ctx, 'u')} and u.id = ${ctx.actor.user_id} and r.status in ('sent', 'viewed')
      and r.role <> 'cc' and q.status = 'open' and d.deleted_at is null
      and (q.expires_at is null or q.expires_at > ${ctx.now().toISOString()})
    order by r.id limit ${most.documents}`)
  return found.map(({ id, document_name, person }) => ({
    kind: 'sign',
    action: 'sign',
    id,
    title: document_name,
    text: '',
    due: null,
    is_late: false,
    person,
    questions: null,
  }))
}

async function documentsOf(ctx: Context, project: string | undefined) {
  const found = await rows<{ attach_id: string; document_name: string; file_name: string | null }>(
    ctx,
    Document,
    {
      fields: 'attach_id,document_name,file_name',
      items_per_page: most.documents,
      sort: 'creation_time',
      reverse: true,
    },
    all(sql`t.latest_version`, project ? ofProject(ctx, project) : undefined),
  )
  return found.map(({ attach_id: id, document_name: name, file_name }) => ({
    id,
    name,
    has_file: file_name !== null,
  }))
}

type StoredMeeting = {
  calendar_id: string
  title: string
  start: string
  end: string
  all_day: boolean
  link: string | null
  location: string | null
  is_meeting_cancelled: boolean
}

async function meetingsOf(ctx: Context) {
  const now = +ctx.now()
  const { body } = await listMeetings(ctx, {
    start: new Date(now).toISOString(),
    end: new Date(now + 60 * day).toISOString(),
    fields: 'calendar_id,title,start,end,all_day,link,location,is_meeting_cancelled',
    items_per_page: 5,
  })
  return parsed<StoredMeeting>(body).flatMap(
    ({ is_meeting_cancelled, calendar_id: id, ...meeting }) =>
      is_meeting_cancelled ? [] : [{ id, ...meeting }],
  )
}

type StoredComment = {
  interaction_id: string
  content: string
  creation_time: string
  user_details: Person
}

/** The last comments on the project, the latest last. */
async function commentsOf(ctx: Context, project: string | undefined) {
  if (!project) return []
  const found = await rows<StoredComment>(
    ctx,
    Interaction,
    {
      fields: 'interaction_id,content,creation_time,user_details',
      items_per_page: most.comments,
      sort: 'creation_time',
      reverse: true,
    },
    sql`t.module_id = ${ShownProject.number} and t.reference_id = ${project} and not t.is_deleted`,
  )
  return found
    .reverse()
    .map(({ interaction_id: id, content, creation_time: at, user_details }) => ({
      id,
      text: textOf(content),
      at,
      person: user_details?.full_name ?? null,
      is_mine: user_details?.user_id === ctx.actor.user_id,
    }))
}

type StoredMilestone = {
  milestone_id: string
  name: string
  kind: 'go_live' | null
  start_date: string | null
  due_date: string | null
  completed_at: string | null
  tasks_count: number
  completed_tasks_count: number
  status: { category: string } | null
}

async function milestonesOf(ctx: Context, project: string) {
  const found = await rows<StoredMilestone>(
    ctx,
    Milestone,
    {
      fields:
        'milestone_id,name,kind,start_date,due_date,completed_at,tasks_count,completed_tasks_count,status',
      items_per_page: most.milestones,
      sort: 'rank',
    },
    sql`t.project_id = ${project}`,
  )
  return found.map((each) => ({
    id: each.milestone_id,
    name: each.name,
    is_go_live: each.kind === 'go_live',
    start: each.start_date,
    due: each.due_date,
    completed_at: each.completed_at,
    state: stateOf(each),
  }))
}

function stateOf({ completed_at, status, completed_tasks_count: done }: StoredMilestone) {
  if (completed_at) return 'done' as const
  return done > 0 || status?.category === 'in_progress' ? ('now' as const) : ('next' as const)
}

type Profile = Pick<Portal['me'], 'email' | 'language' | 'timezone' | 'has_overview'>

async function profileOf(ctx: Context) {
  const { user_id, full_name } = ctx.actor
  const found = await ctx.one<Profile>(sql`
    select t.email, t.language, t.timezone, exists (select from portal_overviews o
      where ${mine(ctx, 'o')} and o.user_id = t.id and o.is_on) as has_overview
    from users t where ${mine(ctx)} and t.id = ${user_id}`)
  const { email = '', language = null, timezone = null, has_overview = false } = found ?? {}
  return { id: user_id ?? '', name: full_name, email, language, timezone, has_overview }
}

async function rows<T>(
  ctx: Context,
  record: AnyRecord,
  query: Parameters<typeof listPage>[2],
  condition: Query,
): Promise<T[]> {
  const { body } = await listPage(ctx, record, query, condition)
  return parsed<T>(body)
}

function parsed<T>(body: unknown): T[] {
  return JSON.parse((body as Json).text) as T[]
}
