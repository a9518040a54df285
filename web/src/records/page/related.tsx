import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { listQuery } from '../../data/list.ts'
import { fieldOf, moduleQuery } from '../../data/modules.ts'
import { idOf, titleOf } from '../../data/record.ts'
import { Empty } from '../../ui/empty.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import look from '../../ui/table.module.css'
import { FieldValue } from '../field/show.tsx'
import { useScreensOf } from '../screens.ts'
import { fieldsFor } from '../use-list.ts'
import styles from './related.module.css'

/** The records of another module that name this one, each with what matters most of it. */
export function Related({ module: name, by, id }: { module: string; by: string; id: string }) {
  const { data: module } = useSuspenseQuery(moduleQuery(name))
  const screens = useScreensOf(name)
  const columns = (screens?.table ?? [])
    .filter((each) => each !== module.title_field && each !== by && fieldOf(module, each))
    .slice(0, 3)
  const { data } = useQuery(
    listQuery(module, {
      filter: [{ field: by, operator: 'eq', value: id }],
      fields: fieldsFor(module, columns),
      ...(screens?.only ? { more: screens.only } : {}),
    }),
  )
  if (!data) return <Skeleton height="120px" />
  if (!data.rows.length) {
    return (
      <Empty small icon={screens?.icon ?? 'link'} title={`No ${module.word.many} yet`}>
        {screens?.empty}
      </Empty>
    )
  }
  return (
    <ul className={`${styles.list} ${look.lines}`}>
      {data.rows.map((record) => {
        const recordId = idOf(module, record)
        return (
          <li key={recordId}>
            <Link to={`${screens?.address ?? ''}/${recordId}`}>{titleOf(module, record)}</Link>
            <span className={styles.facts}>
              {columns.flatMap((column) => {
                const field = fieldOf(module, column)
                return field ? [<FieldValue key={column} field={field} record={record} line />] : []
              })}
            </span>
          </li>
        )
      })}
    </ul>
  )
}
