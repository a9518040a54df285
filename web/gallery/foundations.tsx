import { Hidden } from '../src/ui/field.tsx'
import { hues, hueNames } from '../src/ui/hue.ts'
import { Icon, iconNames } from '../src/ui/icons.tsx'
import { Kbd } from '../src/ui/kbd.tsx'
import css from './gallery.module.css'
import { State, type Section } from './section.tsx'

const colors =
  'ground surface raised hover hover-ground picked line edge field-edge ink quiet faint accent accent-down bad warn info'

/** Colours, type, icons, keys. */
export const foundations: Section[] = [
  {
    id: 'colors',
    title: 'Colours',
    content: (
      <>
        <State name="tokens">
          <div className={css.colors}>
            {colors.split(' ').map((name) => (
              <span key={name}>
                <span className={css.swatch} style={{ background: `var(--${name})` }} />
                {name}
              </span>
            ))}
          </div>
        </State>
        <State name="hues">
          <div className={css.colors}>
            {hues.map((hue, i) => (
              <span key={hue}>
                <span className={css.swatch} style={{ background: hue }} />
                {hueNames[i]}
              </span>
            ))}
          </div>
        </State>
      </>
    ),
  },
  {
    id: 'type',
    title: 'Type',
    content: (
      <State name="caption, text, reading, heading, record, display" column>
        <span style={{ fontSize: 'var(--text-caption)' }}>12 Last changed 3 minutes ago</span>
        <span>13 The quick brown fox: 1,234,567.89</span>
        <span style={{ fontSize: 'var(--text-reading)' }}>14 Notes of the meeting on Monday</span>
        <strong style={{ fontSize: 'var(--text-heading)', letterSpacing: '-0.01em' }}>
          16 Contacts
        </strong>
        <strong style={{ fontSize: 'var(--text-record)', letterSpacing: '-0.01em' }}>
          17 Adaeze Lindqvist
        </strong>
        <strong style={{ fontSize: 'var(--text-display)', letterSpacing: '-0.01em' }}>
          22 Sign in to Larkspur Works
        </strong>
      </State>
    ),
  },
  {
    id: 'icons',
    title: 'Icons',
    content: (
      <div className={css.icons}>
        <Hidden>All icons by name</Hidden>
        {iconNames.map((name) => (
          <span key={name}>
            <Icon name={name} />
            {name}
          </span>
        ))}
      </div>
    ),
  },
  {
    id: 'kbd',
    title: 'Keys',
    content: (
      <State name="chord, sequence, single, plain">
        <Kbd keys="Mod+K" />
        <Kbd keys="g h" />
        <Kbd keys="?" />
        <Kbd keys="Shift+X" />
        <Kbd keys="Mod+Enter" plain />
      </State>
    ),
  },
]
