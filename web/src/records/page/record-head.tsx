import type { Module } from '../../data/modules.ts'
import type { AnyRecord } from '../../data/record.ts'
import { titleOf } from '../../data/record.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { hasPicture, pictureOf } from '../table/table.tsx'
import styles from './record-head.module.css'

type Props = { module: Module; record: AnyRecord }

/** A record's picture and its name, at the top of its panel. */
export function RecordHead({ module, record }: Props) {
  const title = titleOf(module, record)
  return (
    <div className={styles.head}>
      {hasPicture(module) ? (
        <Avatar
          name={title}
          image={pictureOf(record)}
          square={module.module !== 'contacts'}
          size={40}
        />
      ) : null}
      <h2 className={styles.title}>{title}</h2>
    </div>
  )
}
