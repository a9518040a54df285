import css from './chart.module.css'
import { Frame, marked } from './frame.tsx'
import type { PointsLook } from './points.ts'
import { colorOf, sayPoint, tableOf } from './points.ts'

type Props = PointsLook & {
  /** what a whole bar is; the largest value if it is not said */
  whole?: number
}

/** Bars that lie, each after its name: what is chosen how often, or a funnel with the share of the step before. */
export function Rows({ whole, ...props }: Props) {
  const { points, series } = props
  const sums = points.map(({ values }) => values.reduce((sum, { value }) => sum + value, 0))
  const most = whole ?? Math.max(1e-9, ...sums)
  const isNoted = points.some(({ note }) => note)
  return (
    <Frame
      {...props}
      size={[points.length, series.length]}
      say={(at) => sayPoint(props, at)}
      table={tableOf(props)}
    >
      {(_, active) => (
        <ol className={css.rows} data-noted={isNoted || undefined}>
          {points.map(({ label, values, note, color }, at) => (
            <li key={at}>
              <span className={css.name} title={label}>
                {label}
              </span>
              <span className={css.track}>
                {values.map(({ value, to }, of) => {
                  const style = {
                    width: `${(100 * value) / most}%`,
                    background: color ?? series[of]?.color ?? colorOf(of),
                  }
                  const mark = marked([at, of], active)
                  return to ? (
                    <a key={of} {...mark} href={to} style={style} tabIndex={-1} aria-hidden />
                  ) : (
                    <span key={of} {...mark} style={style} />
                  )
                })}
              </span>
              <b>{values.map(({ text }) => text).join(' / ')}</b>
              {isNoted ? <small>{note}</small> : null}
            </li>
          ))}
        </ol>
      )}
    </Frame>
  )
}
