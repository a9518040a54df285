import { useRef, useState } from 'react'
import type { ProjectPlan } from '../../data/project-plan.ts'
import { Menu } from '../../records/later-controls.ts'
import { Button } from '../../ui/button.tsx'
import { Choice } from '../../ui/choice.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import type { MenuItem } from '../../ui/menu.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { useShortcuts } from '../../shortcuts/keys.ts'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import { TextField } from '../../ui/text-field.tsx'
import type { Scale } from './scale.ts'
import { scales } from './scale.ts'
import styles from './timeline.module.css'
import { t } from '../../locales/text.ts'

export type Color = 'status' | 'owner' | 'side'

const colors: { value: Color; label: string }[] = [
  { value: 'status', label: t('Color by status') },
  { value: 'owner', label: t('Color by owner') },
  { value: 'side', label: t('Color by side') },
]

const noBaseline = 'none'

type Props = {
  scale: Scale
  onScale: (scale: Scale) => void
  onToday: () => void
  /** goes to a day or a row; says why it cannot */
  onFind: (text: string) => string | undefined
  showsCritical: boolean
  onCritical: (shows: boolean) => void
  color: Color
  onColor: (color: Color) => void
  /** what the plan is compared to, of what it can be */
  baseline: string | undefined
  baselines: ProjectPlan['baselines']
  onBaseline: (baseline: string | undefined) => void
  /** what is done to the whole plan, as far as the person may */
  more: MenuItem[]
  isNarrow: boolean
  note: string | undefined
}

/** The tools above a timeline: its scale, what is marked, and what is done to all of it. */
export function TimelineTools(props: Props) {
  const { scale, onScale, onToday, showsCritical, onCritical, color, onColor, isNarrow } = props
  return (
    <div className={styles.tools}>
      <SegmentedControl label={t('Scale')} value={scale} onChange={onScale} options={scales} />
      <Button onClick={onToday}>
        {t('Today')} {isNarrow ? null : <Kbd keys="." plain />}
      </Button>
      <Find onFind={props.onFind} />
      {props.note ? <p>{props.note}</p> : null}
      <span className={styles.space} />
      {isNarrow ? null : (
        <>
          <Button
            icon="zap"
            aria-pressed={showsCritical}
            onClick={() => onCritical(!showsCritical)}
          >
            {t('Critical path')}
          </Button>
          {props.baselines.length ? (
            <Choice
              label={t('Baseline')}
              className={styles.choice}
              value={props.baseline ?? noBaseline}
              options={[
                { value: noBaseline, label: t('No baseline') },
                ...props.baselines.map(({ baseline_id: value, name }) => ({
                  value,
                  label: t('Baseline: {name}', { name }),
                })),
              ]}
              onChange={(value) =>
                props.onBaseline(value === null || value === noBaseline ? undefined : value)
              }
            />
          ) : null}
          <Choice
            label={t('Color by')}
            className={styles.choice}
            value={color}
            options={colors}
            onChange={(value) => {
              const found = colors.find((each) => each.value === value)
              if (found) onColor(found.value)
            }}
          />
          {props.more.length ? (
            <Menu
              label={t('More')}
              align="end"
              trigger={<IconButton label={t('More')} icon="more" />}
              items={props.more}
            />
          ) : null}
        </>
      )}
    </div>
  )
}

/** Goes to a day, such as `dec 4` or `+3`, or to the row whose title holds what is typed. */
function Find({ onFind }: Pick<Props, 'onFind'>) {
  const field = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const [fault, setFault] = useState<string>()
  useShortcuts([
    {
      keys: '/',
      label: t('Go to a day or task'),
      group: t('Timeline'),
      run: () => field.current?.focus(),
    },
  ])
  return (
    <form
      className={styles.find}
      onSubmit={(event) => {
        event.preventDefault()
        if (!text.trim()) return
        const found = onFind(text.trim())
        setFault(found)
        if (!found) setText('')
      }}
    >
      <TextField
        ref={field}
        type="search"
        icon="search"
        label={t('Go to a day or task')}
        placeholder={t('Day or task')}
        value={text}
        onChange={(next) => {
          setText(next)
          setFault(undefined)
        }}
      />
      <p role="status">{fault ?? ''}</p>
    </form>
  )
}
