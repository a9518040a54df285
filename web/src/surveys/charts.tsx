import { useState } from 'react'
import { later } from '../records/later.tsx'
import { number, percent } from '../records/field/format.ts'
import { useFormat } from '../records/field/use-format.ts'
import { IconButton } from '../ui/icon-button.tsx'
import styles from './results.module.css'
import { t } from '../locales/text.ts'

const Rows = later(async () => ({ default: (await import('../ui/chart/rows.tsx')).Rows }))
const Upright = later(async () => ({ default: (await import('../ui/chart/upright.tsx')).Upright }))

type Props = {
  /** what is asked */
  label: string
  of: { value?: unknown; label: string; count: number }[]
  /** how many answered; several choices of one answer add up to more */
  total: number
  /** whether these are the numbers of a scale, which stand in their order */
  isScale?: boolean
  /** the address of the answers with one of the values alone, and what opens it */
  toOf?: (value: unknown) => string
  onOpen?: (to: string) => void
  /** what it shows, in a sentence, besides what stands above it */
  finding?: string | undefined
}

/** How often each choice was made, as bars, or as columns over a scale; or the same numbers as a table. */
export function Counts({ label, of, total, isScale = false, toOf, onOpen, finding = '' }: Props) {
  const format = useFormat()
  const [isTable, setTable] = useState(false)
  const toggle = () => setTable(!isTable)
  const look = {
    label,
    finding,
    isTable,
    onTable: toggle,
    onOpen,
    head: isScale ? t('Number') : t('Choice'),
    series: [{ name: t('Answers') }],
    points: of.map(({ value, label: choice, count }) => {
      const share = percent(Math.round((100 * count) / total), format)
      const text = `${number(count, format)}${isScale ? '' : ` · ${share}`}`
      const to = count ? toOf?.(value) : undefined
      return { label: choice, values: [{ value: count, text, to }] }
    }),
  }
  return (
    <div className={styles.chart}>
      {isScale ? <Upright {...look} height={120} /> : <Rows {...look} whole={total} />}
      <IconButton
        label={
          isTable ? t('{label}: show as chart', { label }) : t('{label}: show as table', { label })
        }
        icon={isTable ? 'chart' : 'table'}
        size="small"
        onClick={toggle}
      />
    </div>
  )
}
