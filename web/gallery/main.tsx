import { useLayoutEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import '../src/ui/base.css'
import { UiProvider } from '../src/ui/provider.tsx'
import { SegmentedControl } from '../src/ui/segmented-control.tsx'
import { actions } from './actions.tsx'
import { data } from './data.tsx'
import { feedback } from './feedback.tsx'
import { fields } from './fields.tsx'
import { foundations } from './foundations.tsx'
import css from './gallery.module.css'
import { layout } from './layout.tsx'
import { popups } from './popups.tsx'

const sections = [...foundations, ...actions, ...fields, ...popups, ...data, ...feedback, ...layout]

/** Every component in every state: for people who build with them, and for tests. */
function Gallery() {
  const asked = new URLSearchParams(location.search)
  const [theme, setTheme] = useState(asked.get('theme') ?? 'system')
  const [density, setDensity] = useState('normal')
  const [width, setWidth] = useState('full')
  useLayoutEffect(() => {
    Object.assign(document.documentElement.dataset, { theme, density })
  }, [theme, density])
  return (
    <div className={css.page}>
      <nav className={css.side} aria-label="Components">
        <h1>Gallery</h1>
        {sections.map(({ id, title }) => (
          <a key={id} href={`#${id}`}>
            {title}
          </a>
        ))}
      </nav>
      <div>
        <header className={css.bar}>
          <SegmentedControl
            label="Theme"
            value={theme}
            onChange={setTheme}
            options={[
              { value: 'system', label: 'System', icon: 'monitor' },
              { value: 'light', label: 'Light', icon: 'sun' },
              { value: 'dark', label: 'Dark', icon: 'moon' },
            ]}
          />
          <SegmentedControl
            label="Density"
            value={density}
            onChange={setDensity}
            options={[
              { value: 'compact', label: 'Compact' },
              { value: 'normal', label: 'Normal' },
              { value: 'comfortable', label: 'Comfortable' },
            ]}
          />
          <SegmentedControl
            label="Width"
            value={width}
            onChange={setWidth}
            options={[
              { value: 'full', label: 'Full' },
              { value: '720px', label: '720' },
              { value: '360px', label: '360' },
            ]}
          />
        </header>
        <main className={css.main} style={{ maxWidth: width === 'full' ? undefined : width }}>
          {sections.map(({ id, title, content }) => (
            <section key={id} id={id} className={css.section} aria-labelledby={`${id}-title`}>
              <h2 id={`${id}-title`}>{title}</h2>
              {content}
            </section>
          ))}
        </main>
      </div>
    </div>
  )
}

const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <UiProvider>
      <Gallery />
    </UiProvider>,
  )
}
