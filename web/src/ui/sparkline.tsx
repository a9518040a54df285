import css from './sparkline.module.css'

const width = 120
const height = 28

/** A line of scores over time from 0 to `max`, without axes. `label` describes it in words. */
export function Sparkline({
  points,
  label,
  max = 100,
}: {
  points: number[]
  label: string
  max?: number
}) {
  if (points.length < 2) return null
  const step = (width - 6) / (points.length - 1)
  const y = (point: number) => 3 + (1 - point / max) * (height - 6)
  const line = points.map((point, at) => `${3 + at * step},${y(point)}`).join(' ')
  const last = points.at(-1) ?? 0
  return (
    <svg
      className={css.sparkline}
      role="img"
      aria-label={label}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
    >
      <polyline points={line} />
      <circle cx={width - 3} cy={y(last)} r="2.5" />
    </svg>
  )
}
