import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Module } from '../data/modules.ts'
import { fieldOf } from '../data/modules.ts'
import type { PlanTask } from '../data/project-plan.ts'
import { changePlanTask } from '../data/project-plan.ts'
import { InPlaceValue } from '../records/field/in-place-value.tsx'
import { later } from '../records/later.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Icon } from '../ui/icons.tsx'
import styles from './project.module.css'

const MoveDialog = later(() => import('./move-dialog.tsx'))

type Props = {
  task: PlanTask
  depth: number
  module: Module
  projectId: string
  mayChange: boolean
}

/** A task of a plan: completed, assigned and dated in its line. */
export function TaskLine({ task, depth, module, projectId, mayChange }: Props) {
  const owner = fieldOf(module, 'owner')
  const due = fieldOf(module, 'due_date')
  const [isMoving, setMoving] = useState(false)
  const tick = (is_completed: boolean) =>
    void changePlanTask(module, projectId, task.item_id, {
      values: { is_completed },
      shown: { is_completed },
      message: `${task.title} ${is_completed ? 'completed' : 'opened again'}`,
      undo: { values: { is_completed: !is_completed }, shown: { is_completed: !is_completed } },
    })
  return (
    <li className={styles.task} data-depth={Math.min(depth, 4) || undefined}>
      <Checkbox
        label={`Complete ${task.title}`}
        round
        checked={task.is_completed}
        disabled={!mayChange}
        onChange={tick}
      />
      <Link
        to="/tasks/$id/{-$tab}"
        params={{ id: task.item_id }}
        className={styles.title}
        data-done={task.is_completed || undefined}
      >
        {task.title}
      </Link>
      {task.is_blocked ? (
        <span className={styles.blocked} title="Waits for another task">
          <Icon name="lock" size={14} />
          <span className={styles.hidden}>blocked</span>
        </span>
      ) : null}
      <span className={styles.owner}>
        {owner ? (
          <InPlaceValue
            module={module}
            field={owner}
            record={task}
            canEdit={mayChange && owner.is_writable}
            empty="Nobody"
          />
        ) : null}
      </span>
      <span className={styles.due}>
        {due ? (
          <InPlaceValue
            module={module}
            field={due}
            record={task}
            canEdit={mayChange && due.is_writable}
            empty="No date"
          />
        ) : null}
      </span>
      {mayChange && due?.is_writable ? (
        <IconButton
          className={styles.move}
          label={`Move ${task.title} with what follows`}
          icon="calendar-clock"
          size="small"
          aria-haspopup="dialog"
          onClick={() => setMoving(true)}
        />
      ) : null}
      {isMoving ? (
        <MoveDialog projectId={projectId} task={task} onClose={() => setMoving(false)} />
      ) : null}
    </li>
  )
}
