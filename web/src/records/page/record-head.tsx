import type { Module } from '../../data/modules.ts'
import type { AnyRecord } from '../../data/record.ts'
import { titleOf } from '../../data/record.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { isObject } from '../field/linked.ts'
import { hasPicture, pictureOf } from '../table/table.tsx'
import styles from './record-head.module.css'

type Props = { module: Module; record: AnyRecord; as?: 'h1' | 'h2' }

/** A record's picture, its name, and a line below with its context. */
export function RecordHead({ module, record, as: Heading = 'h2' }: Props) {
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
      <div className={styles.words}>
        <Heading className={styles.title}>{title}</Heading>
        <p className={styles.line}>{lineOf(record)}</p>
      </div>
    </div>
  )
}

function lineOf(record: AnyRecord): string {
  const names = [
    record.job_title,
    isObject(record.company) ? record.company.company_name : record.domain,
    isObject(record.account) ? record.account.account_name : null,
    record.project_name !== undefined && record.title !== undefined ? record.project_name : null,
  ]
  return names.filter((each) => typeof each === 'string' && each !== '').join(' · ')
}
