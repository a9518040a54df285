import type { Static } from 'typebox'
import { Type } from 'typebox'
import { enumeration, orNull } from '../../kit/ground/json-schema.ts'

const text = Type.String()
const day = orNull(Type.String({ format: 'date' }))
const closed = (title: string) => ({ title, additionalProperties: false })

const waiting = Type.Object(
  {
    kind: enumeration(['task', 'form', 'sign'], { title: 'PortalWaitingKind' }),
    id: Type.String({ description: 'of the task, or of the recipient of a signature request' }),
    title: text,
    text: Type.String({ description: 'the description of the task, without formatting' }),
    due: day,
    is_late: Type.Boolean(),
    person: { ...orNull(text), description: 'who asks for the signature' },
    questions: orNull(
      Type.Object({ count: Type.Integer(), answered: Type.Integer() }, closed('PortalQuestions')),
    ),
  },
  closed('PortalWaiting'),
)
/** Something that waits for the caller. */
export type Waiting = Static<typeof waiting>

const milestone = Type.Object(
  {
    id: text,
    name: text,
    is_go_live: Type.Boolean(),
    start: day,
    due: day,
    completed_at: orNull(Type.String({ format: 'date-time' })),
    state: enumeration(['done', 'now', 'next'], { title: 'PortalMilestoneState' }),
  },
  closed('PortalMilestone'),
)

const project = Type.Object(
  {
    id: text,
    name: text,
    go_live: { ...day, description: 'the due date of the project, as agreed' },
    milestones: Type.Array(milestone),
    team: Type.Array(
      Type.Object({ id: text, name: text, email: orNull(text) }, closed('PortalPerson')),
    ),
  },
  closed('PortalProject'),
)
/** The project that is shown. */
export type PortalProject = Static<typeof project>

/** The answer of `GET /api/portal/`. */
export const portal = Type.Object(
  {
    me: Type.Object(
      { id: text, name: text, email: text, language: orNull(text), timezone: orNull(text) },
      closed('PortalReader'),
    ),
    organization: Type.Object({ id: text, name: text }, closed('PortalOrganization')),
    projects: Type.Array(
      Type.Object({ id: text, name: text, go_live: day }, closed('PortalProjectName')),
    ),
    project: orNull(project),
    next: Type.Array(waiting, { description: 'what waits for the caller, the most urgent first' }),
    documents: Type.Array(
      Type.Object({ id: text, name: text, has_file: Type.Boolean() }, closed('PortalDocument')),
    ),
    meetings: Type.Array(
      Type.Object(
        {
          id: text,
          title: text,
          start: text,
          end: text,
          all_day: Type.Boolean(),
          link: orNull(text),
          location: orNull(text),
        },
        closed('PortalMeeting'),
      ),
      { description: 'of the next 60 days' },
    ),
    conversation: Type.Array(
      Type.Object(
        {
          id: text,
          text,
          at: Type.String({ format: 'date-time' }),
          person: orNull(text),
          is_mine: Type.Boolean(),
        },
        closed('PortalComment'),
      ),
      { description: 'the last comments on the project, the latest last' },
    ),
  },
  closed('Portal'),
)
/** What the portal shows. */
export type Portal = Static<typeof portal>
