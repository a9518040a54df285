import { rowsOf } from '../../../kit/record/readable.ts'
import { checkChangeable } from '../../milestones/operations.ts'
import { sql } from '../../../kit/ground/sql.ts'
import { without } from '../../../kit/ground/json-schema.ts'
import { integer, text } from '../../../kit/record/fields.ts'
import type { Row } from '../../../kit/record/record.ts'
import { scope } from '../../../kit/record/scope.ts'
import type { createBody } from '../../milestones/body.ts'
import { updateBody } from '../../milestones/body.ts'
import { announceMilestone } from '../../tasks/milestone.ts'
import { addMilestone } from '../../milestones/create.ts'
import { Milestone } from '../../../model/milestones/milestone.ts'
import { removeMilestone } from '../../milestones/remove.ts'
import { updateMilestone } from '../../milestones/update.ts'
import type { Static } from 'typebox'
import { badField } from '../../../kit/ground/errors.ts'
import { lowered } from '../importable.ts'
import type { SingleImportable } from '../importable.ts'
import { namedColumn, partColumn } from '../columns.ts'
import {
  descriptionWords,
  dueWords,
  nameWords,
  ownerWords,
  privateWords,
  startWords,
  statusWords,
} from '../../../model/sheets/header.ts'
import { projectByName } from './links.ts'

const project_name = text(255, {
  nullable: true,
  expression: `(select p.project_name from ${rowsOf('projects')} p
    where p.organization_id = $organization and p.id = t.project_id)`,
})

type MilestoneRow = Row<typeof Milestone>

export const importMilestones: SingleImportable = {
  how: 'single',
  record: Milestone,
  exported: { ...Milestone, fields: { ...Milestone.fields, project_name } },
  schema: { ...without(updateBody, 'project_id'), required: [] },
  more: { status: text(100), position: integer() },
  links: { project_id: projectByName },
  keys: ['project_id'],
  prepare: (body) => body,
  names: () => [],
  async find(ctx, body) {
    const found = await ctx.one<{ id: string }>(sql`select t.id from milestones t
      where ${scope(ctx, Milestone, 'read')} and t.deleted_at is null
        and t.project_id = ${body.project_id ?? null} and lower(t.name) = ${lowered(body.name)}
      order by t.id limit 1`)
    return found?.id
  },
  async create(ctx, { project_id, ...body }) {
    if (typeof project_id !== 'string') throw badField('project_id', 'is required')
    await checkChangeable(ctx, project_id)
    return addMilestone(ctx, project_id, body as Static<typeof createBody>)
  },
  update: (ctx, id, body) => updateMilestone(ctx, id, body),
  remove: (ctx, id) => removeMilestone(ctx, id),
  async afterUndo(ctx, written, before) {
    const { status } = JSON.parse(await written.whole()) as MilestoneRow
    if (status) await announceMilestone(ctx, written, before as MilestoneRow, status)
  },
  columns: [
    namedColumn('project_id.project_name', 'project_name'),
    partColumn('status', 'status', 'status_name'),
  ],
  headers: {
    name: `milestone|milestone name|meilenstein|name des meilensteins|meilensteinname|jalon|nom du jalon|hito|nombre del hito|pietra miliare|traguardo|marco|nome do marco|mijlpaal|${nameWords}`,
    'project_id.project_name':
      'project|project name|projekt|projektname|projet|nom du projet|proyecto|nombre del proyecto|progetto|nome progetto|projeto|nome do projeto|projectnaam|deal|geschäft',
    description: descriptionWords,
    status: statusWords,
    'owner.email': ownerWords,
    start_date: startWords,
    due_date: dueWords,
    position: 'position|order|reihenfolge|ordre|orden|ordine|ordem|volgorde|nr|no|number',
    is_private: privateWords,
  },
}
