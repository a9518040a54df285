import { classes } from './classes.ts'
import { Hidden } from './field.tsx'
import css from './skeleton.module.css'
import { t } from '../locales/text.ts'

/** A placeholder for something that is loading; it appears after 150 ms. Sizes in pixels or as CSS. */
export function Skeleton({
  width,
  height,
  round = false,
}: {
  width?: number | string
  height?: number | string
  round?: boolean
}) {
  return (
    <span
      className={classes(css.bone, round && css.round)}
      style={{ width, height }}
      aria-hidden="true"
    />
  )
}

/** Placeholders for the rows of a loading list, each with a picture and a text; announced to screen readers. */
export function SkeletonRows({
  count = 8,
  label = t('Loading'),
}: {
  count?: number
  label?: string
}) {
  return (
    <div className={css.rows} role="status" data-loading>
      <Hidden>{label}</Hidden>
      {Array.from({ length: count }, (_, i) => (
        <div key={i} className={css.row} aria-hidden="true">
          <Skeleton width={20} height={20} round />
          <Skeleton width={`${22 + ((i * 37) % 24)}%`} />
          <Skeleton width={`${14 + ((i * 23) % 18)}%`} />
        </div>
      ))}
    </div>
  )
}
