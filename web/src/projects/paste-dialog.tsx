import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Choice } from '../ui/choice.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { beginIn } from './new-values.ts'
import { knownIn } from './pasted-at-once.ts'
import type { Pasting } from './pasted-at-once.ts'
import type { Kind } from './pasted-table.ts'
import { kindLabels, kinds, kindsOf, linesIn } from './pasted-table.ts'
import styles from './plan.module.css'
import type { Words } from './title-words.ts'
import type { Work } from './use-work.ts'
import { t } from '../locales/text.ts'

type Props = { work: Work; words: Words; pasting: Pasting; onClose: () => void }

/** How many rows are shown of those that are pasted; all with a fault are. */
const shownRows = 8

/** Asks what the columns of pasted rows are, and says what is no value of them. */
export default function PasteDialog({ work, words, pasting, onClose }: Props) {
  const known = knownIn(work, words)
  const first = kindsOf(pasting.rows, known)
  const [chosen, setChosen] = useState<Kind[]>(first.kinds)
  const rows = first.hasHeader ? pasting.rows.slice(1) : pasting.rows
  const begin = beginIn(work.plan, pasting.place.milestone_id, words.almanac.today)
  const { lines, faults } = linesIn(rows, chosen, known, { plan: work.plan, begin })
  const faulty = new Set(faults.map(({ row, column }) => `${row} ${column}`))
  const withFault = new Set(faults.map(({ row }) => row))
  const shown = [...rows.entries()].filter(([at]) => at < shownRows || withFault.has(at))
  return (
    <Dialog
      open
      size="large"
      onOpenChange={onClose}
      title={t('Paste {count} line | Paste {count} lines', { count: lines.length })}
      onSubmit={() => {
        if (!chosen.includes('title')) return
        work.addAll(lines, pasting.place, 'task')
        onClose()
      }}
      footer={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button type="submit" variant="primary" disabled={!chosen.includes('title')}>
            {t('Add {count} task | Add {count} tasks', { count: lines.length })}
          </Button>
        </>
      }
    >
      <p role="status">
        {faults.length
          ? t(
              '{count} value could not be read. People and choices are left empty, days are kept in the description. | {count} values could not be read. People and choices are left empty, days are kept in the description.',
              { count: faults.length },
            )
          : t('All values could be read.')}
      </p>
      <table aria-label={t('What is pasted')} className={styles.moves} width="100%">
        <thead>
          <tr>
            {chosen.map((kind, at) => (
              <th key={at} scope="col">
                <Choice
                  label={t('Column {number}', { number: at + 1 })}
                  value={kind}
                  options={kinds.map((value) => ({
                    value,
                    label: kindLabels[value],
                  }))}
                  onChange={(next) => {
                    const to = kinds.find((each) => each === next) ?? 'none'
                    // nothing is of two columns
                    setChosen(
                      chosen.map((each, n) => (n === at ? to : each === to ? 'none' : each)),
                    )
                  }}
                />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map(([at, row]) => (
            <tr key={at}>
              {chosen.map((_, column) => (
                <td key={column} data-fault={faulty.has(`${at} ${column}`) || undefined}>
                  {row[column]}
                  {faulty.has(`${at} ${column}`) ? ` ${t('– unknown')}` : null}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Dialog>
  )
}
