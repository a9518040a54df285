import { Type } from 'typebox'
import { badField } from '../../kit/ground/errors.ts'
import { extend, without } from '../../kit/ground/json-schema.ts'
import { createSchema, updateSchema } from '../../kit/record/schema.ts'
import { statusSchema } from '../../model/statuses/status.ts'
import { Milestone } from '../../model/milestones/milestone.ts'

const status = Type.Optional(statusSchema)

/** The project is in the path, so bodies do not contain it. */
export const createBody = extend(without(createSchema(Milestone), 'project_id'), { status })
export const updateBody = extend(without(updateSchema(Milestone), 'project_id'), { status })

/** 400 if the due date is before the start. */
export function checkDates(dates: { start_date?: string | null; due_date?: string | null }) {
  const { start_date, due_date } = dates
  if (start_date && due_date && due_date < start_date) {
    throw badField('due_date', `must not be before start_date ${start_date}`)
  }
}
