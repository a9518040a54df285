import { useQuery } from '@tanstack/react-query'
import { pipelinesQuery } from '../data/deal.ts'
import type { Module } from '../data/modules.ts'
import { fieldOf } from '../data/modules.ts'
import type { AnyRecord } from '../data/record.ts'
import { valueOf } from '../data/record.ts'
import { isEmpty } from '../records/field/show.tsx'
import { FactValue } from '../records/page/fact.tsx'
import { Hidden } from '../ui/field.tsx'
import { Icon } from '../ui/icons.tsx'
import styles from './next-step.module.css'
import { t } from '../locales/text.ts'

/** What a deal needs before it goes on to its next stage: what it has, and what is filled in here. */
export function Needs({ module, record }: { module: Module; record: AnyRecord }) {
  const { data: pipelines = [] } = useQuery(pipelinesQuery)
  const stages = pipelines.flatMap((pipeline) => pipeline.stages)
  const now = stages.find(({ stage_id }) => stage_id === record.stage_id)
  const next = pipelines
    .find(({ pipeline_id }) => pipeline_id === record.pipeline_id)
    ?.stages.find(
      ({ position, is_archived, category }) =>
        now && position > now.position && !is_archived && category !== 'lost',
    )
  const fields = (next?.required_fields ?? []).flatMap((name) => fieldOf(module, name) ?? [])
  if (!next || !fields.length) return null
  return (
    <div className={styles.needs}>
      <h3>{t('Before {stage_name}', { stage_name: next.stage_name })}</h3>
      <ul>
        {fields.map((field) => {
          const isMet = !isEmpty(valueOf(record, field.name))
          return (
            <li key={field.name} data-met={isMet || undefined}>
              <Icon name={isMet ? 'circle-check' : 'circle'} />
              <span>
                {field.label}
                <Hidden>{isMet ? ` ${t('is known')}` : ` ${t('is missing')}`}</Hidden>
              </span>
              <span className={styles.value}>
                <FactValue {...{ module, record, field }} />
              </span>
            </li>
          )
        })}
      </ul>
    </div>
  )
}
