import css from './chart.module.css'
import { Frame, Spot } from './frame.tsx'
import type { At } from './frame.tsx'
import type { PointsLook } from './points.ts'
import { colorOf, sayPoint, tableOf } from './points.ts'
import { everyNth, ticksOf } from './scale.ts'

type Props = PointsLook & {
  /** bars beside each other or on each other, or lines */
  as?: 'grouped' | 'stacked' | 'lines'
}

const room = { top: 10, bottom: 22 }
/** Pixels of a character of the axis, on average. */
const perCharacter = 6.3

/** Bars that stand, or lines with an area, over an axis of numbers. */
export function Upright({ as = 'grouped', height = 190, tick = String, ...props }: Props) {
  const { points, series } = props
  const drawing = { ...props, as, height, tick }
  return (
    <>
      <Frame
        {...props}
        height={height}
        size={[points.length, series.length]}
        say={(at) => sayPoint(props, at)}
        table={tableOf(props)}
      >
        {(width, active) => <Drawn {...drawing} width={width} active={active} />}
      </Frame>
      {series.length > 1 && !props.isTable ? <Legend series={series} /> : null}
    </>
  )
}

type DrawnProps = Required<Pick<Props, 'as' | 'height' | 'tick'>> &
  PointsLook & { width: number; active: At | null }

function Drawn({ points, series, as, height, tick, width, active, label }: DrawnProps) {
  const all = points.map(({ values }) => values.map(({ value }) => value))
  const sums = all.map((values) => values.reduce((sum, value) => sum + value, 0))
  const ticks = ticksOf(as === 'stacked' ? sums : all.flat())
  const [bottom = 0, top = 1] = [ticks[0], ticks.at(-1)]
  const longest = (texts: string[]) =>
    perCharacter * Math.max(0, ...texts.map((each) => each.length))
  const left = Math.max(44, 12 + longest(ticks.map(tick)))
  const inner = { width: width - left, height: height - room.top - room.bottom }
  const y = (value: number) => room.top + ((top - value) / (top - bottom || 1)) * inner.height
  const step = inner.width / Math.max(1, points.length)
  const x = (at: number) => left + at * step
  const marks = points.map(({ mark, label: name }) => mark ?? name)
  const nth = everyNth(points.length, inner.width, Math.max(58, 12 + longest(marks)))
  const boxes = as === 'lines' ? columns() : bars()

  /** A bar for each value, beside or on each other. */
  function bars() {
    const wide = Math.min(40, step * (step < 8 ? 1 : 0.66))
    return all.flatMap((values, at) => {
      const each = as === 'grouped' ? wide / series.length : wide
      const first = x(at) + (step - wide) / 2
      let below = 0
      return values.map((value, of) => {
        const from = as === 'stacked' ? below : 0
        if (as === 'stacked') below += value
        const [high, low] = [y(Math.max(from, from + value)), y(Math.min(from, from + value))]
        return {
          at: [at, of] as const,
          left: first + (as === 'grouped' ? of * each : 0),
          top: high,
          width: each,
          height: low - high,
        }
      })
    })
  }

  /** The room of each point, in which its values are found; the drawing is the lines. */
  function columns() {
    return all.flatMap((values, at) =>
      values.map((value, of) => ({
        at: [at, of] as const,
        left: x(at),
        top: series.length > 1 ? y(value) - 8 : room.top,
        width: step,
        height: series.length > 1 ? 16 : inner.height,
      })),
    )
  }

  return (
    <>
      <svg width={width} height={height} role="img" aria-label={label}>
        {ticks.map((value) => (
          <g key={value} className={css.axis}>
            <line x1={left} x2={width} y1={y(value)} y2={y(value)} />
            <text x={left - 8} y={y(value) + 4} textAnchor="end">
              {tick(value)}
            </text>
          </g>
        ))}
        {marks.map((mark, at) =>
          at % nth ? null : (
            <text
              key={at}
              className={css.below}
              // the last one ends where the chart does
              x={Math.min(x(at) + step / 2, width - (perCharacter * mark.length) / 2)}
              y={height - 6}
              textAnchor="middle"
            >
              {mark}
            </text>
          ),
        )}
        {as === 'lines'
          ? series.map((each, of) => {
              const color = each.color ?? colorOf(of)
              const spots = all.map((values, at) => [x(at) + step / 2, y(values[of] ?? 0)])
              const line = spots.map((spot) => spot.join()).join(' ')
              const [first = [0, 0], last = [0, 0]] = [spots[0], spots.at(-1)]
              const on = active?.[1] === of ? spots[active[0]] : undefined
              return (
                <g key={each.name} className={css.series} style={{ color }}>
                  {series.length === 1 ? (
                    <polygon points={`${first[0]},${y(0)} ${line} ${last[0]},${y(0)}`} />
                  ) : null}
                  <polyline points={line} />
                  {on ? <circle cx={on[0]} cy={on[1]} r={3.5} /> : null}
                </g>
              )
            })
          : boxes.map(({ at, left: from, top: high, width: wide, height: tall }) => (
              <rect
                key={at.join()}
                className={css.bar}
                data-active={at.join() === active?.join() || undefined}
                style={{ fill: series[at[1]]?.color ?? colorOf(at[1]) }}
                x={from}
                y={high}
                width={Math.max(1, wide - (step < 8 ? 0 : 1))}
                height={Math.max(0, tall - (as === 'stacked' && tall > 3 ? 1.5 : 0))}
                rx={step < 8 ? 0 : 2}
              />
            ))}
      </svg>
      {boxes.map(({ at, left: from, top: high, width: wide, height: tall }) => (
        <Spot
          key={at.join()}
          at={at}
          active={active}
          to={points[at[0]]?.values[at[1]]?.to}
          // low bars are found too
          style={{
            left: from,
            top: Math.min(high, y(0) - 8),
            width: wide,
            height: Math.max(8, tall),
          }}
        />
      ))}
    </>
  )
}

/** The names of series beside their colours. */
export function Legend({ series }: Pick<PointsLook, 'series'>) {
  return (
    <ul className={css.legend}>
      {series.map(({ name, color }, at) => (
        <li key={name}>
          <i style={{ background: color ?? colorOf(at) }} />
          {name}
        </li>
      ))}
    </ul>
  )
}
