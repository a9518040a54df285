import { Type } from 'typebox'
import { enumeration, orNull } from '../../../kit/ground/json-schema.ts'
import { dayNumber } from '../../../schedule/workdays.ts'
import { textOf } from '../schedule/stored.ts'
import type { Outcome } from './outcome.ts'
import type { Updating } from './write.ts'

const day = orNull(Type.String({ format: 'date' }))
const kind = enumeration(['milestone', 'task'], { title: 'TemplateLineKind' })
const dates = (title: string) =>
  Type.Object({ start: day, due: day }, { title, additionalProperties: false })
const before = dates('UpdatedDatesBefore')
const after = dates('UpdatedDatesAfter')

/** What an update of projects to the current version of their template comes to. */
export const updateAnswer = Type.Object(
  {
    template_id: Type.String(),
    published_version: Type.Integer({ description: 'to which the projects are updated' }),
    bulk_id: orNull(
      Type.String({ description: 'for the undo of all; null where nothing was written' }),
    ),
    projects: Type.Array(
      Type.Object(
        {
          project_id: Type.String(),
          project_name: Type.String(),
          template_version: Type.Integer({ description: 'the version that it has' }),
          added: Type.Array(
            Type.Object(
              { kind, title: Type.String(), start_date: day, due_date: day },
              { title: 'UpdateAddition', additionalProperties: false },
            ),
            { description: 'lines that it gets' },
          ),
          changed: Type.Array(
            Type.Object(
              {
                id: Type.String(),
                kind,
                title: Type.String({ description: 'as it is now' }),
                fields: Type.Array(
                  Type.String({ description: 'such as title, days or dependencies' }),
                ),
                from: before,
                to: after,
              },
              { title: 'UpdateChange', additionalProperties: false },
            ),
            { description: 'lines that become as the version has them' },
          ),
          moved: Type.Array(
            Type.Object(
              { id: Type.String(), kind, title: Type.String(), from: before, to: after },
              { title: 'UpdateMove', additionalProperties: false },
            ),
            { description: 'lines of which only the dates change' },
          ),
          kept: Type.Array(
            Type.Object(
              {
                title: Type.String({ description: 'in the version' }),
                reason: enumeration(['done', 'changed', 'deleted', 'not_allowed'], {
                  title: 'UpdateKeptReason',
                  description:
                    'done, changed by hand, taken out of the project by hand, or not the caller’s to change',
                }),
              },
              { title: 'UpdateKept', additionalProperties: false },
            ),
            { description: 'lines that the version would add or change, and that stay' },
          ),
          conflicts: Type.Array(Type.String(), { description: 'what to look at, in sentences' }),
          go_live: Type.Object(
            { from: day, to: day },
            {
              title: 'UpdateGoLive',
              additionalProperties: false,
              description: 'the last day of the plan, before and after',
            },
          ),
          problem: orNull(Type.String({ description: 'why it cannot be updated' })),
        },
        { title: 'ProjectUpdate', additionalProperties: false },
      ),
      { description: 'running projects of older versions, by name' },
    ),
    hidden: Type.Integer({
      description: 'running projects of older versions that the caller may not change',
    }),
    more: Type.Integer({ description: 'further ones, which take another request' }),
  },
  { title: 'TemplateProjectsUpdate', additionalProperties: false },
)

type Change = Pick<Outcome['replaced'][number], 'record_id' | 'fields' | 'links'>
type Named = Updating['project'] & { project_name: string }

/** What a task has of its form besides which one it is. */
const ofForm = ['form_structure', 'item_type']

/** What a version makes of a project, as it is previewed and as it was written. */
export function described(project: Named, outcome: Outcome) {
  const { beside, added, replaced, merged, conflicts, go_live, problem } = outcome
  const written = new Set(replaced.map(({ record_id }) => record_id))
  // a document alone replaces nothing
  const others = [...merged.documents.keys()].flatMap((record_id): Change[] =>
    written.has(record_id) ? [] : [{ record_id, fields: {}, links: [] }],
  )
  const lines = [...replaced, ...others].flatMap(({ record_id: id, fields, links }) => {
    const row = beside.byId.get(id)
    if (!row) return []
    const { start_date: start, due_date: due } = row
    const to = { start: textIn(fields.start_date, start), due: textIn(fields.due_date, due) }
    const own = merged.dates.get(id)
    const names = [
      ...Object.keys(fields).filter((name) => !name.endsWith('_date') && !ofForm.includes(name)),
      ...(merged.documents.has(id) ? ['document_id'] : []),
      ...(own && isLonger(beside, { start, due }, to) ? ['days'] : []),
      ...(links.length ? ['dependencies'] : []),
    ]
    const { row_kind, title } = row
    return { id, kind: row_kind, title, fields: names, from: { start, due }, to }
  })
  return {
    project_id: project.id,
    project_name: project.project_name,
    template_version: project.template_version,
    added: added.map(({ line: { kind: its, title }, dates: { start, due } }) => ({
      kind: its,
      title,
      start_date: textOf(start),
      due_date: textOf(due),
    })),
    changed: lines.filter(({ fields }) => fields.length),
    moved: lines.flatMap(({ fields, ...line }) => (fields.length ? [] : line)),
    kept: merged.kept,
    conflicts,
    go_live,
    problem,
  }
}

function textIn(change: { to: unknown } | undefined, now: string | null): string | null {
  if (!change) return now
  return typeof change.to === 'string' ? change.to : null
}

type Span = { start: string | null; due: string | null }

/** Whether it takes more or fewer working days than before. */
function isLonger({ workdays }: Outcome['beside'], one: Span, other: Span): boolean {
  const length = ({ start, due }: Span) =>
    start && due ? workdays.length(dayNumber(start), dayNumber(due)) : 0
  return length(one) !== length(other)
}
