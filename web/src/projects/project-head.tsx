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
import { AvatarGroup } from '../ui/avatar.tsx'
import { Progress } from '../ui/progress.tsx'
import { GoLive } from './go-live.tsx'
import { causeWords, healthWords, waitsWords } from './health-words.ts'
import { LikelyGoLive } from './likely.tsx'
import styles from './project-head.module.css'

/** The strip of a project: its health with the cause, how far it is, and when it goes live. */
export default function ProjectHead({ module, record }: SectionProps) {
  const { data } = useQuery(projectPlanQuery(idOf(module, record)))
  const team = peopleOf(record, data?.plan)
  return (
    <div className={styles.head}>
      <dl className={styles.strip}>
        <Strip id={idOf(module, record)} plan={data?.plan} />
      </dl>
      {team.length ? (
        <div className={styles.team} role="group" aria-label="Team">
          <AvatarGroup people={team} size={24} limit={6} />
        </div>
      ) : null}
    </div>
  )
}

function Strip({ id, plan }: { id: string; plan: ProjectPlan | undefined }) {
  const format = useFormat()
  const { health, totals, go_live } = plan ?? {}
  const { tasks = 0, completed = 0, late = 0, blocked = 0 } = totals ?? {}
  const { spent_minutes = 0, estimate_minutes = 0 } = totals ?? {}
  const cause = health?.cause
  return (
    <>
      <div>
        <dt>Health</dt>
        <dd>
          {health && tasks ? (
            <>
              <span className={styles.state} data-state={health.state}>
                {healthWords[health.state]}
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
            </>
          ) : (
            '–'
          )}
        </dd>
      </div>
      <div>
        <dt>Done</dt>
        <dd>
          <span>{plan ? (tasks ? `${completed} of ${tasks}` : 'No tasks') : '–'}</span>
          {tasks ? (
            <span className={styles.bar}>
              <Progress label="Tasks completed" value={completed} max={tasks} />
            </span>
          ) : null}
        </dd>
      </div>
      <div>
        <dt>Go-live</dt>
        <dd>
          {go_live ? <GoLive dates={go_live} days={health?.days ?? 0} /> : '–'}
          {plan && completed < tasks ? <LikelyGoLive id={id} version={plan.plan_version} /> : null}
        </dd>
      </div>
      <div>
        <dt>Late</dt>
        <dd data-bad={late > 0 || undefined}>{plan ? late : '–'}</dd>
      </div>
      <div>
        <dt>Blocked</dt>
        <dd>{plan ? blocked : '–'}</dd>
      </div>
      {spent_minutes || estimate_minutes ? (
        <div>
          <dt>Time</dt>
          <dd>
            {hours(60 * spent_minutes, format)}
            {estimate_minutes ? <small>of {hours(60 * estimate_minutes, format)}</small> : null}
          </dd>
        </div>
      ) : null}
    </>
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
