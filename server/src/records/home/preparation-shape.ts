import { Type } from 'typebox'
import type { Static } from 'typebox'
import { orNull } from '../../kit/ground/json-schema.ts'

const promises = Type.Object(
  {
    rows: Type.Array(
      Type.Object(
        { id: Type.String(), title: Type.String(), due: orNull(Type.String({ format: 'date' })) },
        { title: 'HomePromise', additionalProperties: false },
      ),
      { description: 'open tasks, those that are due first at the top' },
    ),
    count: Type.Integer({ description: 'of all of them' }),
  },
  { title: 'HomePromises', additionalProperties: false },
)

/** What to know before a meeting of a project. */
export const preparation = Type.Object(
  {
    meeting_id: Type.String({ description: 'id of the meeting' }),
    people: Type.Array(Type.String(), { description: 'names of those who are invited' }),
    theirs: { ...promises, description: 'what customers and partners have to do in its project' },
    ours: { ...promises, description: 'what one’s own people have to do there that customers see' },
    since: orNull(
      Type.String({ format: 'date-time', description: 'end of the meeting of the project before' }),
    ),
    done: Type.Integer({ description: 'tasks of the project that were completed since then' }),
    agenda: orNull(Type.String({ description: 'description of the meeting' })),
  },
  { title: 'HomePreparation', additionalProperties: false },
)
export type Preparation = Static<typeof preparation>
