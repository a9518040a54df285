import type { Static } from 'typebox'
import { Type } from 'typebox'
import { enumeration, orNull } from '../../kit/ground/json-schema.ts'
import { preparation } from './preparation-shape.ts'

/** What a person mostly does, which decides the cards that they are shown. */
export const roles = ['delivery', 'sales', 'success', 'manager'] as const
export type Role = (typeof roles)[number]

/** The cards by name. */
export const cardNames = [
  'projects_late',
  'accounts_at_risk',
  'accounts_fallen',
  'renewals',
  'low_answers',
  'deals_need_step',
  'deals_closing',
  'mentions',
  'meetings',
  'team',
] as const
export type CardName = (typeof cardNames)[number]

const why = Type.Object(
  {
    word: enumeration(
      [
        'holds_up',
        'blocked',
        'shared',
        'waits_for',
        'invited',
        'late_tasks',
        'past_due',
        'no_date',
        'no_step',
        'quiet',
        'health',
        'fell',
        'renewal',
        'answered',
        'load',
      ],
      { title: 'HomeReason' },
    ),
    count: orNull(
      Type.Integer({ description: 'of tasks, people, points, months, or what was answered' }),
    ),
    also: orNull(Type.Integer({ description: 'of its tasks due within seven days' })),
    text: orNull(Type.String({ description: 'a name, or the reasons of a score' })),
    since: orNull(Type.String({ format: 'date' })),
  },
  { title: 'HomeWhy', additionalProperties: false },
)

const row = Type.Object(
  {
    kind: enumeration(['task', 'meeting', 'project', 'deal', 'account', 'mention', 'person'], {
      title: 'HomeKind',
    }),
    id: Type.String(),
    title: Type.String(),
    record: orNull(
      Type.Object(
        { id: Type.String(), name: Type.String() },
        { title: 'HomeRecord', additionalProperties: false },
      ),
    ),
    owner: orNull(Type.String({ description: 'id of the person whose task it is' })),
    due: orNull(Type.String({ description: 'a day, or the time at which it starts' })),
    until: orNull(Type.String({ description: 'when a meeting ends' })),
    link: orNull(Type.String({ description: 'where a meeting takes place' })),
    value: orNull(
      Type.String({ description: 'a score, an amount with its currency, or the load of a week' }),
    ),
    why: orNull(why),
    acts: Type.Array(
      enumeration(['done', 'move', 'give', 'comment', 'read'], { title: 'HomeAct' }),
      { description: 'what the caller may do with it' },
    ),
    version: orNull(Type.Integer()),
  },
  { title: 'HomeRow', additionalProperties: false },
)

const list = orNull(
  Type.Object(
    {
      module: Type.String(),
      filter: Type.Array(Type.Unknown()),
      sort: Type.String(),
    },
    {
      title: 'HomeList',
      additionalProperties: false,
      description: 'the list that has exactly the rows that are counted',
    },
  ),
)

const part = Type.Object(
  {
    rows: Type.Array(row),
    count: Type.Integer({ description: 'of all its rows, shown or not' }),
    list,
    is_failed: Type.Boolean({ description: 'whether this part could not be read' }),
  },
  { title: 'HomePart', additionalProperties: false },
)

const card = Type.Object(
  { ...part.properties, card: enumeration(cardNames, { title: 'HomeCard' }) },
  { title: 'HomeCardRows', additionalProperties: false },
)

/** What Home shows. */
export const home = Type.Object(
  {
    today: Type.String({ format: 'date', description: 'by the organization' }),
    workday: Type.String({ format: 'date', description: 'the next working day after today' }),
    lacks: orNull(
      enumeration(['records', 'tasks'], {
        title: 'HomeLacks',
        description:
          'what there never was: companies, contacts or imports that you may read, or tasks of yours',
      }),
    ),
    leads: Type.Boolean({ description: 'whether people report to the caller' }),
    role: enumeration(roles, { title: 'HomeRole' }),
    guessed: enumeration(roles, { title: 'HomeRole' }),
    groups: Type.Object(
      { late: part, today: part, week: part, waiting: part },
      { title: 'HomeGroups', additionalProperties: false },
    ),
    next: orNull(row),
    preparation: orNull(preparation),
    cards: Type.Array(card, { description: 'those that are shown, in order' }),
    available: Type.Array(enumeration(cardNames, { title: 'HomeCard' }), {
      description: 'the cards that the caller may have',
    }),
  },
  { title: 'Home', additionalProperties: false },
)

export type Home = Static<typeof home>
export type Part = Static<typeof part>
export type Row = Static<typeof row>
export type Why = Static<typeof why>
export type List = NonNullable<Static<typeof list>>

/** A row with what it does not have left empty. */
export function rowOf(given: Pick<Row, 'kind' | 'id' | 'title'> & Partial<Row>): Row {
  const empty = {
    record: null,
    owner: null,
    due: null,
    until: null,
    link: null,
    value: null,
    why: null,
  }
  return { ...empty, acts: [], version: null, ...given }
}

/** A reason in its parts. */
export function whyOf(word: Why['word'], more: Partial<Why> = {}): Why {
  return { word, count: null, also: null, text: null, since: null, ...more }
}
