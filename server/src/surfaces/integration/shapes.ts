import { Type } from 'typebox'
import type { TSchema } from 'typebox'
import { dayWords } from '../../kit/ground/dates.ts'
import { enumeration, orNull } from '../../kit/ground/json-schema.ts'
import { Answer, Json } from '../../kit/ground/operation.ts'
import type { AnyRecord } from '../../kit/record/record.ts'
import { readSchema } from '../../kit/record/schema.ts'
import type { Written } from '../../kit/write/write.ts'
import { catalogueSchema } from '../../records/field-config/catalogue.ts'
import { Project } from '../../model/projects/project.ts'
import { Task } from '../../model/tasks/task.ts'

/** An optional text of a query, and how many records a page has. */
export const text = (maxLength: number, description: string) =>
  Type.Optional(Type.String({ maxLength, description }))
export const pageSize = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: 500, description }))

/** The parameter that makes a list return the catalogue of its fields, see `isTruthy`. */
export const fieldSwitch = text(20, 'true returns the catalogue of fields instead')

/** The answer of such a list: its page, or the catalogue. */
export function listOrFields(list: TSchema): TSchema {
  return Type.Union([list, catalogueSchema])
}

/** The query parameter that compares a due date with today in the organization's time zone. */
export const dueFilter = (description: string) =>
  Type.Optional(enumeration(dayWords.slice(0, 10), { title: 'DueFilter', description }))

/** The schema of a list by cursor. */
export function cursorPage(record: AnyRecord): TSchema {
  return Type.Object({
    results: Type.Array(readSchema(record)),
    next_cursor: orNull(Type.String()),
    count: Type.Optional(Type.Integer()),
  })
}

/** The answer to a write of a project or deal: its id, and the record under `data`. */
export const projectAnswer = Type.Object({ project_id: Type.String(), data: readSchema(Project) })

export function answerProject(written: Written): Answer {
  return answerAs(['project_id'], written)
}

/** The answer to a write of a task: its id under both names, and the record under `data`. */
export const taskAnswer = Type.Object({
  item_id: Type.String(),
  task_id: Type.String(),
  data: readSchema(Task),
})

export function answerTask(written: Written): Answer {
  return answerAs(['item_id', 'task_id'], written)
}

function answerAs(keys: string[], { id, version, json }: Written): Answer {
  const ids = keys.map((key) => `"${key}":"${id}"`).join()
  const text = async () => new Json(`{${ids},"data":${await json()}}`)
  return new Answer(text, { id, version })
}
