import css from './chart.module.css'
import { Frame, marked } from './frame.tsx'
import type { PointsLook } from './points.ts'
import { colorOf, sayPoint, tableOf } from './points.ts'

type Props = Omit<PointsLook, 'series'> & {
  /** the name of what is counted */
  unit: string
  /** what stands in the middle */
  total: string
}

const size = 132
const [outer, inner] = [62, 44]
/** Of a circle, so that neighbours are apart. */
const gap = 0.006

/** The shares of a whole as a ring, with their names beside it. */
export function Ring({ unit, total, ...rest }: Props) {
  const props = { ...rest, series: [{ name: unit }] }
  const sum = props.points.reduce((all, { values }) => all + (values[0]?.value ?? 0), 0)
  const shares = props.points.map(({ values }) => (sum ? (values[0]?.value ?? 0) / sum : 0))
  const starts = shares.map((_, at) => shares.slice(0, at).reduce((all, each) => all + each, 0))
  return (
    <Frame
      {...props}
      size={[props.points.length, 1]}
      say={(at) => sayPoint(props, at)}
      table={tableOf(props)}
    >
      {(_, active) => (
        <div className={css.ring}>
          <svg width={size} height={size} role="img" aria-label={props.label}>
            {shares.map((share, at) =>
              share ? (
                <path
                  key={at}
                  className={css.bar}
                  data-active={active?.[0] === at || undefined}
                  style={{ fill: props.points[at]?.color ?? colorOf(at) }}
                  d={slice(starts[at] ?? 0, share)}
                />
              ) : null,
            )}
            <text x={size / 2} y={size / 2 + 2} textAnchor="middle" className={css.total}>
              {total}
            </text>
            <text x={size / 2} y={size / 2 + 20} textAnchor="middle" className={css.below}>
              {unit}
            </text>
          </svg>
          <ul>
            {props.points.map(({ label, values: [value], color }, at) => {
              const text = (
                <>
                  <i style={{ background: color ?? colorOf(at) }} />
                  <span>{label}</span>
                  <b>{value?.text}</b>
                </>
              )
              const mark = marked([at, 0], active)
              return (
                <li key={label}>
                  {value?.to ? (
                    <a {...mark} href={value.to} tabIndex={-1}>
                      {text}
                    </a>
                  ) : (
                    <span {...mark}>{text}</span>
                  )}
                </li>
              )
            })}
          </ul>
        </div>
      )}
    </Frame>
  )
}

/** The outline of a slice that begins at a share of the circle. */
function slice(start: number, share: number): string {
  const space = share > 3 * gap && share < 1 ? gap : 0
  // a whole circle has no ends, so it stops short of its start
  const [from, to] = [start + space / 2, start + Math.min(share, 0.99999) - space / 2]
  const at = (radius: number, turn: number) => {
    const angle = 2 * Math.PI * turn - Math.PI / 2
    return `${size / 2 + radius * Math.cos(angle)} ${size / 2 + radius * Math.sin(angle)}`
  }
  const isLarge = to - from > 0.5 ? 1 : 0
  return `M${at(outer, from)}A${outer} ${outer} 0 ${isLarge} 1 ${at(outer, to)}L${at(inner, to)}A${inner} ${inner} 0 ${isLarge} 0 ${at(inner, from)}Z`
}
