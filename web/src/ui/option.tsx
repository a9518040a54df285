import { Avatar } from './avatar.tsx'
import css from './choice.module.css'
import { hueOfOption } from './hue.ts'
import { Icon, type IconName } from './icons.tsx'
import popup from './popup.module.css'
import { Dot } from './status.tsx'
import { Tag } from './tag.tsx'

/** Something to choose. `group` puts options of the same group under its heading. */
export type Option = {
  value: string
  label: string
  /** Hexadecimal; shown as a dot, or as the tag's color. */
  color?: string | null
  /** What a status or stage is, such as completed: its color follows where it has none of its own. */
  kind?: string
  icon?: IconName
  description?: string
  group?: string
  disabled?: boolean
  /** For people and companies: the picture's address, or null for initials. */
  image?: string | null
}

/** How a chosen option is shown: its label, a dot and the label, a tag, or a picture and the label. */
export type OptionLook = 'plain' | 'status' | 'tag' | 'person' | 'company'

/** An option in the field. */
export function OptionValue({ option, look = 'plain' }: { option: Option; look?: OptionLook }) {
  if (look === 'tag') return <Tag color={hueOfOption(option)}>{option.label}</Tag>
  return (
    <span className={css.option}>
      <OptionSign option={option} look={look} />
      <span className={popup.label} title={option.label}>
        {option.label}
      </span>
    </span>
  )
}

/** The dot or picture before an option's label. */
export function OptionSign({ option, look }: { option: Option; look: OptionLook }) {
  if (look === 'person' || look === 'company') {
    return <Avatar name={option.label} image={option.image} square={look === 'company'} />
  }
  if (option.icon) return <Icon name={option.icon} />
  if (option.color || look === 'status' || look === 'tag') {
    return <Dot color={hueOfOption(option)} />
  }
  return null
}

/** An option's label, with its description below. */
export function OptionWords({ option }: { option: Option }) {
  return (
    <span className={popup.words}>
      <span className={popup.label} title={option.label}>
        {option.label}
      </span>
      {option.description && <span className={popup.description}>{option.description}</span>}
    </span>
  )
}

/** Options under the headings of their groups, in the order of their first occurrence. */
export function grouped(options: Option[]): { value: string; items: Option[] }[] | null {
  if (!options.some((option) => option.group)) return null
  const groups = Map.groupBy(options, (option) => option.group ?? '')
  return [...groups].map(([value, items]) => ({ value, items }))
}
