import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { projectPlanQuery } from '../data/project-plan.ts'
import type { ProjectPlan } from '../data/project-plan.ts'
import type { AnyRecord } from '../data/record.ts'
import { idOf } from '../data/record.ts'
import type { SectionProps } from '../records/definition.ts'
import { hours } from '../records/field/format.ts'
import { personIn } from '../records/field/linked.ts'
import { useFormat } from '../records/field/use-format.ts'
import { Strip } from '../records/page/strip.tsx'
import { AvatarGroup } from '../ui/avatar.tsx'
import type { Figure } from '../ui/figures.tsx'
import { Progress } from '../ui/progress.tsx'
import { GoLive } from './go-live.tsx'
import { causeWords, healthWords, waitsWords } from './health-words.ts'
import { LikelyGoLive } from './likely.tsx'
import styles from './project-head.module.css'
import { t } from '../locales/text.ts'

/** The figures of a project: its health with the cause, how far it is, and when it goes live. */
export default function ProjectHead({ module, record }: SectionProps) {
  const id = idOf(module, record)
  const { data } = useQuery(projectPlanQuery(id))
  const team = peopleOf(record, data?.plan)
  return (
    <Strip module={module} record={record} own={useFigures(id, data?.plan)}>
      {team.length ? (
        <div className={styles.team} role="group" aria-label={t('Team')}>
          <AvatarGroup people={team} size={24} limit={6} />
        </div>
      ) : null}
    </Strip>
  )
}

function useFigures(id: string, plan: ProjectPlan | undefined): Figure[] {
  const format = useFormat()
  const { health, totals, go_live } = plan ?? {}
  const { tasks = 0, completed = 0, late = 0, blocked = 0 } = totals ?? {}
  const { spent_minutes = 0, estimate_minutes = 0 } = totals ?? {}
  return [
    { label: t('Health'), value: health && tasks ? <State health={health} /> : null },
    {
      label: t('Done'),
      value: plan
        ? tasks
          ? t('{completed} of {tasks}', { completed, tasks })
          : t('No tasks')
        : null,
      note: tasks ? (
        <span className={styles.bar}>
          <Progress label={t('Tasks completed')} value={completed} max={tasks} />
        </span>
      ) : null,
    },
    {
      label: t('Go-live'),
      value: (
        <span className={styles.live}>
          {go_live ? <GoLive dates={go_live} days={health?.days ?? 0} /> : '–'}
          {plan && completed < tasks ? <LikelyGoLive id={id} version={plan.plan_version} /> : null}
        </span>
      ),
    },
    {
      label: t('Late'),
      value: plan ? <span data-tone={late > 0 ? 'bad' : undefined}>{late}</span> : null,
    },
    { label: t('Blocked'), value: plan ? String(blocked) : null },
    ...(spent_minutes || estimate_minutes
      ? [
          {
            label: t('Time'),
            value: hours(60 * spent_minutes, format),
            note: estimate_minutes
              ? t('of {hours}', { hours: hours(60 * estimate_minutes, format) })
              : null,
          },
        ]
      : []),
  ]
}

/** The state of a project in a word, with its cause. */
function State({ health }: { health: NonNullable<ProjectPlan['health']> }) {
  const { state, cause } = health
  return (
    <span className={styles.health}>
      <span className={styles.state} data-state={state}>
        {healthWords[state]}
      </span>
      {cause ? (
        <Link
          to="/tasks/$id/{-$tab}"
          params={{ id: cause.id }}
          className={styles.cause}
          title={waitsWords(health)}
        >
          {causeWords(health)}
        </Link>
      ) : (
        <small>{causeWords(health)}</small>
      )}
    </span>
  )
}

/** Who leads it, its team, and who has something to do in it. */
function peopleOf(record: AnyRecord, plan: ProjectPlan | undefined) {
  const team: unknown[] = Array.isArray(record.project_team) ? record.project_team : []
  const owners = plan?.tasks.map(({ owner }) => owner) ?? []
  const all = [record.project_owner, record.project_manager, ...team, ...owners]
  const people = all.flatMap((each) => personIn(each) ?? [])
  return [...new Map(people.map((each) => [each.user_id, each])).values()].map(
    ({ user_id: id, full_name: name, profile_image: image }) => ({
      id,
      name,
      image: image ?? null,
    }),
  )
}
