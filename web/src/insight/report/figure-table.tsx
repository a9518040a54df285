/* oxlint-disable jsx-a11y/no-noninteractive-tabindex -- a wide table is scrolled by keys */
import { useNavigate } from '@tanstack/react-router'
import styles from './report.module.css'
import { t } from '../../locales/text.ts'

/** A number in words, and the list of its records. */
export type FigureLink = { text: string; to?: string | undefined }

type Row = {
  label: FigureLink
  cells: FigureLink[]
  /** a part of the row above it */
  isPart?: boolean
}

/** Numbers as a table: the last row is of all, and `texts` are the same for files. */
export type Figures = { head: string[]; rows: Row[]; last?: Row | undefined; texts: string[][] }

/** The numbers of a report as a table, whose cells lead to their records. */
export function FigureTable({
  table: { head, rows, last },
  label,
}: {
  table: Figures
  label: string
}) {
  const navigate = useNavigate()
  return (
    <div
      className={styles.table}
      role="region"
      aria-label={t('{label}, as a table', { label })}
      tabIndex={0}
    >
      <table>
        <thead>
          <tr>
            {head.map((text, at) => (
              <th key={at} scope="col">
                {text}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {[...rows, ...(last ? [last] : [])].map((row, at) => (
            <tr key={at} data-all={row === last || undefined} data-part={row.isPart || undefined}>
              <th scope="row">{row.label.text}</th>
              {row.cells.map(({ text, to }, column) => (
                <td key={column}>
                  {to ? (
                    <a
                      href={to}
                      onClick={(event) => {
                        if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return
                        event.preventDefault()
                        void navigate({ href: to })
                      }}
                    >
                      {text}
                    </a>
                  ) : (
                    text
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
