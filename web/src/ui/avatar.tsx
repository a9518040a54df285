import { useState, type CSSProperties } from 'react'
import css from './avatar.module.css'
import { classes } from './classes.ts'
import { hueOf, initialsOf } from './hue.ts'
import { tip } from './tooltip.tsx'

/** Somebody to show: name, and where there is one the address of a picture. */
export type Person = { id: string; name: string; image?: string | null; email?: string | null }

/**
 * The picture of a person (round) or a company (`square`), or initials on the hue of the name. Without
 * `label` it is hidden from screen readers, for the name usually stands beside it. `size` in pixels.
 */
export function Avatar({
  name,
  image,
  size = 20,
  square = false,
  label,
}: {
  name: string
  image?: string | null
  size?: number
  square?: boolean
  label?: boolean
}) {
  const [broken, setBroken] = useState<string | null>(null)
  const hasImage = Boolean(image) && image !== broken
  const style = {
    '--hue': hasImage ? 'transparent' : hueOf(name),
    width: size,
    height: size,
    fontSize: Math.max(8, Math.round(size * 0.4)),
  } as CSSProperties
  return (
    <span
      className={classes(css.avatar, square && css.square)}
      style={style}
      {...(label ? { role: 'img', 'aria-label': name, ...tip(name) } : { 'aria-hidden': true })}
    >
      {hasImage ? (
        <img src={image ?? ''} alt="" loading="lazy" onError={() => setBroken(image ?? null)} />
      ) : (
        initialsOf(name)
      )}
    </span>
  )
}

/** Several people overlapping, with a count of those for whom there is no room. */
export function AvatarGroup({
  people,
  size = 20,
  limit = 4,
}: {
  people: Person[]
  size?: number
  limit?: number
}) {
  const shown = people.length > limit ? people.slice(0, limit - 1) : people
  const others = people.slice(shown.length)
  const names = others.map((person) => person.name).join(', ')
  return (
    <span className={css.group}>
      {shown.map((person) => (
        <Avatar key={person.id} name={person.name} image={person.image} size={size} label />
      ))}
      {others.length > 0 && (
        <span
          className={classes(css.avatar, css.more)}
          style={{ width: size, height: size, fontSize: Math.round(size * 0.42) }}
          role="img"
          aria-label={names}
          {...tip(names)}
        >
          +{others.length}
        </span>
      )}
    </span>
  )
}

/** A person with the name beside the picture, cut where it is too long. */
export function PersonName({ person, size = 20 }: { person: Person; size?: number }) {
  return (
    <span className={css.person}>
      <Avatar name={person.name} image={person.image} size={size} />
      <span className={css.name} title={person.name}>
        {person.name}
      </span>
    </span>
  )
}
