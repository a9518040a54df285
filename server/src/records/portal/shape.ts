import type { Static } from 'typebox'
import { Type } from 'typebox'
import { enumeration, orNull } from '../../kit/ground/json-schema.ts'

const text = Type.String()
const day = orNull(Type.String({ format: 'date' }))
const closed = (title: string) => ({ title, additionalProperties: false })

const waiting = Type.Object(
  {
    kind: enumeration(['task', 'form', 'sign', 'rate'], { title: 'PortalWaitingKind' }),
    action: enumeration(['done', 'upload', 'answer', 'sign', 'rate'], {
      title: 'PortalAction',
      description: 'what does it: a task that asks for a file wants one from whoever it is of',
    }),
    id: Type.String({
      description:
        'of the task, the recipient of a signature request, or the completed milestone to rate',
    }),
    title: text,
    text: Type.String({ description: 'the description of the task, without formatting' }),
    due: day,
    is_late: Type.Boolean({ description: 'whether its day has passed' }),
    person: { ...orNull(text), description: 'who asks for the signature' },
    questions: orNull(
      Type.Object(
        {
          count: Type.Integer(),
          answered: Type.Integer({ description: 'how many have an answer' }),
        },
        closed('PortalQuestions'),
      ),
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
    is_go_live: Type.Boolean({ description: 'whether it is the go-live' }),
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
      {
        id: text,
        name: text,
        email: text,
        language: orNull(text),
        timezone: orNull(text),
        has_overview: Type.Boolean({ description: 'whether a weekly overview is mailed' }),
      },
      { ...closed('PortalReader'), description: 'the caller' },
    ),
    organization: Type.Object({ id: text, name: text }, closed('PortalOrganization')),
    projects: Type.Array(
      Type.Object({ id: text, name: text, go_live: day }, closed('PortalProjectName')),
      { description: 'those that the caller may read, by name' },
    ),
    project: orNull(project),
    next: Type.Array(waiting, { description: 'what waits for the caller, the most urgent first' }),
    documents: Type.Array(
      Type.Object(
        {
          id: text,
          name: text,
          has_file: Type.Boolean({ description: 'false for one that is written here' }),
        },
        closed('PortalDocument'),
      ),
      { description: 'the newest ones of the project, or of none' },
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
          text: Type.String({ description: 'what was written, without formatting' }),
          at: Type.String({ format: 'date-time' }),
          person: orNull(Type.String({ description: 'the name of who wrote it' })),
          is_mine: Type.Boolean({ description: 'whether the caller wrote it' }),
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
