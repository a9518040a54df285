import type { Load, LoadPerson, LoadTask, LoadWeek } from '../../data/load.ts'

/** How full a week is: nothing to say, nearly, or more than there is. */
export type Fill = 'away' | 'free' | 'full' | 'over'

/** From which share of its capacity a week is nearly full. */
const full = 0.9

export function fillOf({ capacity, planned }: Pick<LoadWeek, 'capacity' | 'planned'>): Fill {
  if (planned > capacity) return 'over'
  if (!capacity) return 'away'
  return planned >= full * capacity ? 'full' : 'free'
}

/** Minutes as whole hours. */
export function inHours(minutes: number): number {
  return Math.round(minutes / 60)
}

/** A choice of people. */
export type Chosen = { team: string | null; title: string | null; project: string | null }

/** The people of a choice: a person with everybody below them, a job title, a project that they work on. */
export function peopleOf({ people }: Pick<Load, 'people'>, { team, title, project }: Chosen) {
  const above = new Map(people.map(({ user }) => [user.user_id, user.reports_to]))
  const isBelow = (id: string) => {
    let at: string | null | undefined = id
    for (let n = 0; at && n < people.length; n++) {
      if (at === team) return true
      at = above.get(at)
    }
    return at === team
  }
  return people.filter(
    ({ user, weeks }) =>
      (team === null || isBelow(user.user_id)) &&
      (title === null || sameTitle(user.designation, title)) &&
      (project === null ||
        weeks.some(({ parts }) => parts.some((part) => part.project === project))),
  )
}

/** What can be chosen of: people whom others report to, and titles and projects that there are. */
export function choicesOf({ people, projects }: Pick<Load, 'people' | 'projects'>) {
  const heads = new Set(people.map(({ user }) => user.reports_to))
  const titles = new Map(
    people.flatMap(({ user: { designation: title } }) =>
      title ? [[title.toLowerCase(), title] as const] : [],
    ),
  )
  return {
    teams: people.flatMap(({ user: { user_id: value, full_name: label } }) =>
      heads.has(value) ? { value, label } : [],
    ),
    titles: [...titles.values()].toSorted().map((value) => ({ value, label: value })),
    projects: Object.entries(projects)
      .map(([value, label]) => ({ value, label }))
      .toSorted((a, b) => a.label.localeCompare(b.label)),
  }
}

function sameTitle(one: string | null, other: string | null): boolean {
  return one !== null && one.toLowerCase() === other?.toLowerCase()
}

/** Somebody who could take a task, with how much time they have left that week. */
export type Taker = { person: LoadPerson; week: LoadWeek; free: number }

/** Who could take something of a week: those with the same job title first, then those with most time. */
export function takersOf(people: LoadPerson[], from: LoadPerson, at: number): Taker[] {
  const isSame = ({ person }: Taker) => sameTitle(person.user.designation, from.user.designation)
  return people
    .flatMap((person) => {
      const week = person.weeks[at]
      if (!week || person.user.user_id === from.user.user_id) return []
      return { person, week, free: week.capacity - week.planned }
    })
    .toSorted((a, b) => Number(isSame(b)) - Number(isSame(a)) || b.free - a.free)
}

export type Proposal = { task: LoadTask; taker: Taker; rest: number }

/**
 * What would ease a week that is too full: the smallest task that is enough, or else the largest one, for somebody of
 * the same job title who stays within their own time. `rest` are the minutes that would still be too many.
 */
export function proposalFor(
  people: LoadPerson[],
  from: LoadPerson,
  at: number,
  tasks: LoadTask[],
): Proposal | undefined {
  const week = from.weeks[at]
  const over = week ? week.planned - week.capacity : 0
  if (over <= 0) return undefined
  const takers = takersOf(people, from, at).filter(({ person }) =>
    sameTitle(person.user.designation, from.user.designation),
  )
  const [taker] = takers
  if (!taker) return undefined
  const fitting = tasks
    .flatMap((task) =>
      task.may_update && task.minutes !== null && task.minutes > 0 && task.minutes <= taker.free
        ? { task, minutes: task.minutes }
        : [],
    )
    .toSorted((a, b) => a.minutes - b.minutes)
  const best = fitting.find(({ minutes }) => minutes >= over) ?? fitting.at(-1)
  return best && { task: best.task, taker, rest: Math.max(0, over - best.minutes) }
}
