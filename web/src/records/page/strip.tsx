import type { ReactNode } from 'react'
import { fieldsAt } from '../../data/modules.ts'
import type { Module } from '../../data/modules.ts'
import type { AnyRecord } from '../../data/record.ts'
import { valueOf } from '../../data/record.ts'
import type { Figure } from '../../ui/figures.tsx'
import { Figures } from '../../ui/figures.tsx'
import { isEmpty } from '../field/show.tsx'
import styles from './fact.module.css'
import { FactValue } from './fact.tsx'

/** A figure that is computed, and stands after a field of the strip, or before all of them. */
export type OwnFigure = Figure & { after?: string }

type Props = {
  module: Module
  record: AnyRecord
  /** what is said beside a field's value */
  notes?: { [field: string]: ReactNode }
  own?: OwnFigure[]
  /** actions at the other end */
  children?: ReactNode
}

/** The figures below a record's name, which are edited where they stand. */
export function Strip({ module, record, notes = {}, own = [], children }: Props) {
  const fields = fieldsAt(module, 'strip')
  const isThere = (name: string | undefined) => fields.some((field) => field.name === name)
  const figures = fields.flatMap((field): Figure[] => [
    {
      label: field.label,
      value: (
        <span className={styles.figure}>
          <FactValue {...{ module, record, field }} />
        </span>
      ),
      note: notes[field.name],
      isEmpty: isEmpty(valueOf(record, field.name)),
    },
    ...own.filter(({ after }) => after === field.name),
  ])
  const first = own.filter(({ after }) => !isThere(after))
  return <Figures of={[...first, ...figures]}>{children}</Figures>
}
