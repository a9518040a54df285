import { paths } from './icon-paths.ts'

/** The names of the icons. */
export type IconName = keyof typeof paths

/** All names, for pickers and the gallery. */
export const iconNames = Object.keys(paths) as IconName[]

/** An icon in the color of the text, hidden from screen readers. `size` in pixels. */
export function Icon({
  name,
  size = 16,
  className,
}: {
  name: IconName
  size?: number
  className?: string
}) {
  return (
    <svg
      className={className}
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      // the stroke is 1.75 of the icon's 24 units at 16 pixels, and no heavier in large ones
      strokeWidth={size > 20 ? 1.5 : 1.75}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={paths[name]} />
    </svg>
  )
}
