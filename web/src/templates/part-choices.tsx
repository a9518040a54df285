import { Checkbox } from '../ui/checkbox.tsx'
import { Choice } from '../ui/choice.tsx'
import { counted } from '../ui/counted.ts'
import { Field } from '../ui/field.tsx'
import styles from './templates.module.css'
import type { Part, PartMilestone } from './use-part.ts'

/** Which milestones of a template a running project gets, and behind which of its own. */
export function PartChoices({ part }: { part: Part }) {
  const { places, after, setAfter } = part
  return (
    <>
      {places.length ? (
        <Field label="Place">
          <Choice
            value={after === undefined ? (places.at(-1)?.id ?? null) : (after ?? first)}
            onChange={(next) => setAfter(next === first ? null : next)}
            options={[
              { value: first, label: 'First in the plan' },
              ...places.map(({ id, name }) => ({ value: id, label: `After ${name}` })),
            ]}
          />
        </Field>
      ) : null}
      <fieldset className={styles.ticks}>
        <legend>Milestones</legend>
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
        hint={isThere ? `${counted(tasks, 'task')}, already in the plan` : counted(tasks, 'task')}
      >
        {name}
      </Checkbox>
      {isTaken && known.length ? (
        <div className={styles.known} role="group" aria-label={`Of ${name} already in the plan`}>
          {known.map((task) => (
            <Checkbox
              key={task.ref}
              checked={task.isTaken}
              onChange={task.take}
              hint={`already in the plan, ${task.number}`}
            >
              {task.title}
            </Checkbox>
          ))}
        </div>
      ) : null}
    </>
  )
}
