import { Type } from 'typebox'
import type { Context } from '../../kit/ground/context.ts'
import { badField } from '../../kit/ground/errors.ts'
import { extend, without } from '../../kit/ground/json-schema.ts'
import { createSchema, updateSchema } from '../../kit/record/schema.ts'
import type { Status } from '../../model/statuses/status.ts'
import { statusSchema } from '../../model/statuses/status.ts'
import { Milestone } from '../../model/milestones/milestone.ts'

const status = Type.Optional(statusSchema)

/** The project is in the path, so bodies do not contain it. */
export const createBody = extend(without(createSchema(Milestone), 'project_id'), { status })
export const updateBody = extend(without(updateSchema(Milestone), 'project_id'), { status })

/** The columns behind a status. */
export function statusColumns(ctx: Context, { id, category }: Pick<Status, 'id' | 'category'>) {
  return {
    status_id: id,
    completed_at: category === 'completed' ? ctx.now().toISOString() : null,
  }
}

/** 400 if the due date is before the start. */
export function checkDates(dates: { start_date?: string | null; due_date?: string | null }) {
  const { start_date, due_date } = dates
  if (start_date && due_date && due_date < start_date) {
    throw badField('due_date', `must not be before start_date ${start_date}`)
  }
}
