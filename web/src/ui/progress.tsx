import css from './progress.module.css'

/** The progress of something, from 0 to `max`. The name is `label`; `text` is beside the bar. */
export function Progress({
  value,
  max = 100,
  label,
  text,
}: {
  value: number
  max?: number
  label: string
  text?: string
}) {
  const share = max > 0 ? Math.min(1, Math.max(0, value / max)) : 0
  return (
    <div className={css.progress}>
      <div
        className={css.track}
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={max}
        aria-valuenow={value}
        aria-valuetext={text}
      >
        <div className={css.fill} style={{ width: `${share * 100}%` }} />
      </div>
      {text && <span className={css.text}>{text}</span>}
    </div>
  )
}
