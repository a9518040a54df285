import { Type } from 'typebox'
import type { Static } from 'typebox'
import { byId } from '../../kit/crud.ts'
import type { Context } from '../../kit/ground/context.ts'
import { badFields, notFound } from '../../kit/ground/errors.ts'
import { enumeration, orNull } from '../../kit/ground/json-schema.ts'
import { operation } from '../../kit/ground/operation.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { rights, scope } from '../../kit/record/scope.ts'
import { announceEach } from '../../kit/write/announce-many.ts'
import { lock } from '../../kit/write/write.ts'
import type { Page } from '../../model/forms/form-parts.ts'
import { Survey } from '../../model/surveys/survey.ts'
import { Task } from '../../model/tasks/task.ts'

/** How many tasks of a form are listed, and get other questions, at once. */
const most = 500

const formTask = Type.Object(
  {
    item_id: Type.String(),
    title: Type.String(),
    version: orNull(Type.Integer({ description: 'of the form, whose questions it has' })),
    answer_count: Type.Integer({ description: 'how many of its questions have an answer' }),
    takes: Type.Boolean({ description: 'whether it takes the next questions by default' }),
    why: orNull(
      enumeration(['answered', 'forbidden'], {
        title: 'FormTaskReason',
        description: 'why it keeps its questions: it has answers, or the caller may not change it',
      }),
    ),
  },
  { title: 'FormTask', additionalProperties: false },
)
type FormTask = Static<typeof formTask>

/** The tasks that publishing asks about: a body may name those that take the next questions. */
export const publishBody = Type.Object(
  {
    tasks: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 25 }), {
        maxItems: most,
        description: 'open tasks of the form that take its questions; answers that they have stay',
      }),
    ),
  },
  { title: 'SurveyPublication' },
)

const versionsBody = Type.Object(
  {
    tasks: Type.Array(
      Type.Object({
        item_id: Type.String({ minLength: 1, maxLength: 25 }),
        version: Type.Integer({ minimum: 1, description: 'of the form' }),
      }),
      { minItems: 1, maxItems: most },
    ),
  },
  { title: 'FormTaskVersions' },
)

/** What the open tasks of a form have of its questions. */
export const formTasks = {
  preview: operation({
    name: 'preview_publishing_survey',
    summary: 'Preview what publishing a survey does with its tasks',
    description:
      'Its open tasks whose questions differ from the next ones, at most 500. Those with answers keep theirs.',
    can: { module: 'surveys', action: 'update' },
    writes: false,
    input: { params: byId },
    output: Type.Object(
      { tasks: Type.Array(formTask) },
      { title: 'SurveyPublicationPreview', additionalProperties: false },
    ),
    async run(ctx, { params: { id } }) {
      const found = await ctx.one<{ pages: Page[] }>(sql`
        select coalesce(t.draft->'pages', t.form_structure->'pages') as pages from surveys t
        where ${scope(ctx, Survey, 'update')} and t.id = ${id}`)
      if (!found) throw notFound('Survey')
      return { tasks: await openTasks(ctx, id, found.pages) }
    },
  }),
  change: operation({
    name: 'change_form_tasks',
    summary: 'Give tasks of a form the questions of a version of it',
    description:
      'All in one transaction. Answers stay, also those to questions that the version lacks.',
    can: { module: 'surveys', action: 'update' },
    writes: true,
    input: { params: byId, body: versionsBody },
    output: Type.Object(
      { changed: Type.Integer({ description: 'how many had other questions' }) },
      { title: 'FormTasksChanged', additionalProperties: false },
    ),
    async run(ctx, { params: { id }, body }) {
      await lock(ctx, Survey, id, 'update')
      return { changed: await setVersions(ctx, id, body.tasks) }
    },
  }),
}

function openTasks(ctx: Context, id: string, pages: Page[]): Promise<FormTask[]> {
  return ctx.all<FormTask>(sql`
    select found.item_id, found.title, found.version, found.answer_count,
      found.may and found.answer_count = 0 as takes,
      case when found.answer_count > 0 then 'answered' when not found.may then 'forbidden' end as why
    from (
      select t.id as item_id, t.title, (t.form_structure->>'version')::integer as version,
        (select count(*) from jsonb_each(coalesce(t.form_responses, '{}')) as a
          where a.value <> 'null')::integer as answer_count,
        coalesce((${rights(ctx, Task, 'update') ?? sql`true`}), false) as may,
        t.due_date
      from tasks t
      where ${scope(ctx, Task, 'read')} and t.form_id = ${id} and not t.is_completed
        and t.form_structure->'pages' is distinct from ${JSON.stringify(pages)}::jsonb
    ) as found
    order by found.due_date nulls last, found.item_id limit ${most}`)
}

/**
 * Gives open tasks of a form the questions of a version of it, and says how many had others. 400 naming what is no
 * open task of it that the caller may change, and an unknown version.
 */
export async function setVersions(
  ctx: Context,
  survey: string,
  tasks: { item_id: string; version: number }[],
): Promise<number> {
  const rows = await ctx.all<Wanted>(sql`
    select w.at::integer as at, t.id, v.version is not null as is_known
    from jsonb_to_recordset(${JSON.stringify(tasks.map((each, at) => ({ ...each, at })))}::jsonb)
      as w(at integer, item_id text, version integer)
    left join survey_versions v on v.organization_id = $organization and v.survey_id = ${survey}
      and v.version = w.version
    left join tasks t on ${scope(ctx, Task, 'update')} and t.id = w.item_id
      and t.form_id = ${survey} and not t.is_completed`)
  const known = new Set<string>()
  const errors = rows.flatMap(({ at, id, is_known }) => [
    ...(id
      ? []
      : [
          {
            field: `tasks.${at}`,
            message: 'must be an open task of this form that you may change',
          },
        ]),
    ...(is_known ? [] : [{ field: `tasks.${at}.version`, message: 'is no version of this form' }]),
  ])
  for (const { item_id } of tasks) {
    if (known.has(item_id)) errors.push({ field: 'tasks', message: `has ${item_id} twice` })
    known.add(item_id)
  }
  if (errors.length) throw badFields(errors)
  return storeStructures(
    ctx,
    sql`
    select t.id, t.form_structure as before,
      jsonb_build_object('pages', v.pages, 'version', v.version) as structure
    from tasks t
    join jsonb_to_recordset(${JSON.stringify(tasks)}::jsonb) as w(item_id text, version integer)
      on w.item_id = t.id
    join survey_versions v on v.organization_id = $organization and v.survey_id = ${survey}
      and v.version = w.version
    where ${mine(ctx)} and not t.is_completed and t.deleted_at is null
      and t.form_structure is distinct from
        jsonb_build_object('pages', v.pages, 'version', v.version)
    for update of t`,
  )
}

type Wanted = { at: number; id: string | null; is_known: boolean }

/** Stores the structures that a query gives of tasks, as `id`, `before` and `structure`, and announces each; how many. */
export async function storeStructures(
  ctx: Context,
  locked: ReturnType<typeof sql>,
): Promise<number> {
  const tasks = await ctx.all<{ id: string; before: unknown; structure: unknown }>(sql`
    with open as (${locked})
    update tasks t set form_structure = open.structure,
      version = t.version + 1, last_update_time = ${ctx.now().toISOString()}
    from open where ${mine(ctx)} and t.id = open.id
    returning t.id, open.before, open.structure`)
  const changed = tasks.map(({ id, before, structure }) => ({
    id,
    changes: [{ field: 'form_structure', from: before, to: structure }],
  }))
  await announceEach(ctx, Task, 'updated', changed)
  return tasks.length
}
