import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { listQuery } from '../../data/list.ts'
import type { Module } from '../../data/modules.ts'
import { fieldOf, moduleQuery } from '../../data/modules.ts'
import type { AnyRecord } from '../../data/record.ts'
import { idOf, titleOf } from '../../data/record.ts'
import { ReadFault } from '../read-fault.tsx'
import { useMay } from '../../data/session.ts'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { Empty } from '../../ui/empty.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import look from '../../ui/table.module.css'
import { FieldValue } from '../field/show.tsx'
import { isNumber } from '../table/table.tsx'
import { addressIn } from '../definition.ts'
import { later } from '../later.tsx'
import { useScreensOf } from '../screens.ts'
import { fieldsFor } from '../use-list.ts'
import styles from './related.module.css'
import { t } from '../../locales/text.ts'

const NewRecord = later(() => import('../form/new-record.tsx'))

type Props = {
  module: string
  by: string
  id: string
  /** the record to which they link */
  of: { module: Module; record: AnyRecord }
}

/** The records of another module that link to this one, each with its most important fields. */
export function Related({ module: name, by, id, of }: Props) {
  const [isNew, setNew] = useState(false)
  const mayCreate = useMay(name, 'create')
  const { data: module } = useSuspenseQuery(moduleQuery(name))
  const screens = useScreensOf(name)
  const columns = (screens?.table ?? [])
    .filter((each) => each !== module.title_field && each !== by && fieldOf(module, each))
    .slice(0, 3)
  const { data, error, refetch } = useQuery(
    listQuery(module, {
      filter: [{ field: by, operator: 'eq', value: id }],
      fields: fieldsFor(module, columns),
      ...(screens?.only ? { more: screens.only } : {}),
    }),
  )
  if (error && !data) {
    const title = t('The {many} could not be read', { many: module.word.many })
    return <ReadFault small title={title} error={error} onRetry={refetch} />
  }
  if (!data) return <Skeleton height="120px" />
  const create =
    screens && mayCreate ? (
      <Button size="small" icon="plus" onClick={() => setNew(true)}>
        {t('New {one}', { one: module.word.one })}
      </Button>
    ) : null
  const form =
    isNew && screens ? (
      <NewRecord
        module={module}
        screens={screens}
        {...linkTo(module, by, of)}
        onClose={() => setNew(false)}
        onCreated={() => setNew(false)}
      />
    ) : null
  if (!data.rows.length) {
    return (
      <>
        <Empty
          small
          icon={screens?.icon ?? 'link'}
          title={t('No {many} yet', { many: module.word.many })}
          action={create}
        >
          {screens?.empty}
        </Empty>
        {form}
      </>
    )
  }
  return (
    <>
      <div className={styles.head}>{create}</div>
      <ul className={`${styles.list} ${look.lines}`}>
        {data.rows.map((record) => {
          const recordId = idOf(module, record)
          return (
            <li key={recordId}>
              <Link to={addressIn(screens ?? { address: '' }, recordId)}>
                {titleOf(module, record)}
              </Link>
              {columns.map((column) => {
                const field = fieldOf(module, column)
                return (
                  <span
                    key={column}
                    className={classes(styles.fact, field && isNumber(field) && styles.number)}
                  >
                    {field ? <FieldValue field={field} record={record} line /> : null}
                  </span>
                )
              })}
            </li>
          )
        })}
      </ul>
      {form}
    </>
  )
}

/** The initial values for a related record: the link, in the API's form and for display. */
function linkTo(module: Module, by: string, { module: own, record }: Props['of']) {
  const { reference } = fieldOf(module, by) ?? {}
  const id = idOf(own, record)
  const title = titleOf(own, record)
  const { key = own.key, title_field = own.title_field } = reference ?? {}
  const whole = { [key]: id, [title_field]: title }
  const base = by.replace(/_id$/, '')
  return {
    initial: { [by]: id },
    initialShown: {
      [by]: base === by ? whole : id,
      [base]: whole,
      [`${base}_name`]: title,
    },
  }
}
