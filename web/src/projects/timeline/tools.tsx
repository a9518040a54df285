import type { ProjectPlan } from '../../data/project-plan.ts'
import { Menu } from '../../records/later-controls.ts'
import { Button } from '../../ui/button.tsx'
import { Choice } from '../../ui/choice.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import type { MenuItem } from '../../ui/menu.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import type { Scale } from './scale.ts'
import { scales } from './scale.ts'
import styles from './timeline.module.css'

export type Color = 'status' | 'owner' | 'side'

const colors: { value: Color; label: string }[] = [
  { value: 'status', label: 'Color by status' },
  { value: 'owner', label: 'Color by owner' },
  { value: 'side', label: 'Color by side' },
]

const noBaseline = 'none'

type Props = {
  scale: Scale
  onScale: (scale: Scale) => void
  onToday: () => void
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
      <SegmentedControl label="Scale" value={scale} onChange={onScale} options={scales} />
      <Button onClick={onToday}>Today {isNarrow ? null : <Kbd keys="." plain />}</Button>
      {props.note ? <p>{props.note}</p> : null}
      <span className={styles.space} />
      {isNarrow ? null : (
        <>
          <Button
            icon="zap"
            aria-pressed={showsCritical}
            onClick={() => onCritical(!showsCritical)}
          >
            Critical path
          </Button>
          {props.baselines.length ? (
            <Choice
              label="Baseline"
              className={styles.choice}
              value={props.baseline ?? noBaseline}
              options={[
                { value: noBaseline, label: 'No baseline' },
                ...props.baselines.map(({ baseline_id: value, name }) => ({
                  value,
                  label: `Baseline: ${name}`,
                })),
              ]}
              onChange={(value) =>
                props.onBaseline(value === null || value === noBaseline ? undefined : value)
              }
            />
          ) : null}
          <Choice
            label="Color by"
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
              label="More"
              align="end"
              trigger={<IconButton label="More" icon="more" />}
              items={props.more}
            />
          ) : null}
        </>
      )}
    </div>
  )
}
