import css from './figures.module.css'

/** A few figures in a line, each below its label; an en dash where there is none. */
export function Figures({ of }: { of: { label: string; value: string | null }[] }) {
  return (
    <dl className={css.figures}>
      {of.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value ?? '–'}</dd>
        </div>
      ))}
    </dl>
  )
}
