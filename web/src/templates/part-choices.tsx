import { Checkbox } from '../ui/checkbox.tsx'
import { Choice } from '../ui/choice.tsx'
import { Field } from '../ui/field.tsx'
import styles from './templates.module.css'
import type { Part, PartMilestone } from './use-part.ts'
import { t } from '../locales/text.ts'

/** Which milestones of a template a running project gets, and behind which of its own. */
export function PartChoices({ part }: { part: Part }) {
  const { places, after, setAfter } = part
  return (
    <>
      {places.length ? (
        <Field label={t('Place [position]')}>
          <Choice
            value={after === undefined ? (places.at(-1)?.id ?? null) : (after ?? first)}
            onChange={(next) => setAfter(next === first ? null : next)}
            options={[
              { value: first, label: t('First in the plan') },
              ...places.map(({ id, name }) => ({ value: id, label: t('After {name}', { name }) })),
            ]}
          />
        </Field>
      ) : null}
      <fieldset className={styles.ticks}>
        <legend>{t('Milestones')}</legend>
        {part.milestones.map((milestone, at) => (
          // a template's milestones have no ids
          <MilestoneChoice key={at} milestone={milestone} />
        ))}
      </fieldset>
    </>
  )
}

const first = 'first'

function MilestoneChoice({ milestone }: { milestone: PartMilestone }) {
  const { name, tasks, isThere, isTaken, take, known } = milestone
  return (
    <>
      <Checkbox
        checked={isTaken}
        onChange={take}
        hint={
          isThere
            ? t('{count} task, already in the plan | {count} tasks, already in the plan', {
                count: tasks,
              })
            : t('{count} task | {count} tasks', { count: tasks })
        }
      >
        {name}
      </Checkbox>
      {isTaken && known.length ? (
        <div
          className={styles.known}
          role="group"
          aria-label={t('Of {name} already in the plan', { name })}
        >
          {known.map((task) => (
            <Checkbox
              key={task.ref}
              checked={task.isTaken}
              onChange={task.take}
              hint={t('already in the plan, {number}', { number: task.number })}
            >
              {task.title}
            </Checkbox>
          ))}
        </div>
      ) : null}
    </>
  )
}
