import { useRef, useState } from 'react'
import { fieldOf } from '../data/modules.ts'
import { useMay } from '../data/session.ts'
import { personIn } from '../records/field/linked.ts'
import { Menu } from '../records/later-controls.ts'
import { useShortcuts } from '../shortcuts/keys.ts'
import { Button } from '../ui/button.tsx'
import type { IconName } from '../ui/icons.tsx'
import type { MenuItem } from '../ui/menu.tsx'
import { TextField } from '../ui/text-field.tsx'
import { columns as allColumns } from './columns.ts'
import { isFiltering, partLabels, parts, unfiltered } from './plan-filter.ts'
import styles from './plan.module.css'
import type { Work } from './use-work.ts'
import { inSentence, t } from '../locales/text.ts'

type Props = {
  work: Work
  onMilestone: (() => void) | undefined
  onTask: (() => void) | undefined
  onTemplate: () => void
  /** from the search to the rows */
  onLeaveSearch: () => void
}

/** What a plan shows of itself, and what is added to it. */
export function PlanTools({ work, onMilestone, onTask, onTemplate, onLeaveSearch }: Props) {
  const { filter, setFilter, found, plan, rights, mayCreate } = work
  const search = useRef<HTMLInputElement>(null)
  const mayUseTemplates = useMay('templates', 'read') && rights.mayPlan && mayCreate
  useShortcuts([
    {
      keys: '/',
      label: t('Search the plan'),
      group: t('Plan'),
      run: () => search.current?.focus(),
    },
  ])
  const isEmpty = !plan.tasks.length && !plan.milestones.length
  const isFiltered = isFiltering(filter)
  return (
    <div className={styles.tools} role="group" aria-label={t('Plan tools')}>
      {isEmpty ? (
        <p>
          {t('No plan yet. Start from a template, paste your list, or type the first milestone.')}
        </p>
      ) : (
        <>
          <div style={{ width: 200 }}>
            <TextField
              ref={search}
              type="search"
              icon="search"
              label={t('Search the plan')}
              placeholder={t('Search the plan')}
              value={filter.q}
              onChange={(q) => setFilter({ ...filter, q })}
              onKeyDown={(event) => {
                const isLeft = ['Enter', 'ArrowDown'].includes(event.key)
                if (!isLeft && !(event.key === 'Escape' && filter.q === '')) return
                event.preventDefault()
                event.stopPropagation()
                onLeaveSearch()
              }}
            />
          </div>
          <ToolMenu label={t('Filter')} icon="list-filter" items={filtersOf(work)} />
          <ToolMenu
            label={t('Show: {part}', { part: inSentence(partLabels[filter.part]) })}
            items={[
              {
                kind: 'radio',
                value: filter.part,
                options: parts.map((value) => ({ value, label: partLabels[value] })),
                onChange: (next) =>
                  setFilter({ ...filter, part: parts.find((each) => each === next) ?? 'all' }),
              },
            ]}
          />
          <ToolMenu label={t('Columns')} icon="columns" items={columnsOf(work)} />
          <ToolMenu
            label={t('Collapse to')}
            items={[
              { label: t('Milestones'), shortcut: '_', onSelect: () => work.collapse(1) },
              { label: t('Tasks'), onSelect: () => work.collapse(2) },
              { label: t('All'), shortcut: '*', onSelect: () => work.collapse(undefined) },
            ]}
          />
          <p role="status">
            {isFiltered
              ? t('{shown} of {count} task shown | {shown} of {count} tasks shown', {
                  shown: found.tasks,
                  count: plan.tasks.length,
                })
              : ''}
          </p>
          {isFiltered ? (
            <Button variant="quiet" size="small" onClick={() => setFilter(unfiltered)}>
              {t('Clear')}
            </Button>
          ) : null}
        </>
      )}
      <span className={styles.grow} />
      {mayUseTemplates ? (
        <Button icon="list-tree" onClick={onTemplate}>
          {isEmpty ? t('Choose a template') : t('Add from template')}
        </Button>
      ) : null}
      {onMilestone ? (
        <Button icon="milestone" onClick={onMilestone}>
          {t('New milestone')}
        </Button>
      ) : null}
      {onTask ? (
        <Button variant="primary" icon="plus" aria-keyshortcuts="c" onClick={onTask}>
          {t('New task')}
        </Button>
      ) : null}
    </div>
  )
}

/** A button with a menu whose code is loaded once the page stands. */
function ToolMenu({ label, icon, items }: { label: string; icon?: IconName; items: MenuItem[] }) {
  const [anchor, setAnchor] = useState<Element>()
  return (
    <>
      <Button
        {...(icon ? { icon } : {})}
        iconAfter="chevron-down"
        aria-haspopup="menu"
        aria-expanded={anchor !== undefined}
        onClick={({ currentTarget }) => setAnchor(currentTarget)}
      >
        {label}
      </Button>
      {anchor ? (
        <Menu
          open
          label={label}
          anchor={anchor}
          items={items}
          onOpenChange={(isOpen) => {
            if (isOpen) return
            setAnchor(undefined)
            if (anchor instanceof HTMLElement) anchor.focus()
          }}
        />
      ) : null}
    </>
  )
}

/** Each by what the plan has of it. */
function filtersOf({ plan, rights, filter, setFilter }: Work): MenuItem[] {
  const people = new Map(
    [...plan.tasks, ...plan.milestones].flatMap(({ owner }) => {
      const person = personIn(owner)
      return person ? [[person.user_id, person.full_name]] : []
    }),
  )
  const options = (name: string) =>
    (fieldOf(rights.tasks, name)?.options ?? []).map(({ value, label, color }) => ({
      value: String(value),
      label,
      color,
    }))
  const choice = (
    label: string,
    name: 'owner' | 'status' | 'priority',
    list: { value: string; label: string; color?: string | null }[],
  ): MenuItem => ({
    kind: 'submenu',
    label: filter[name] === null ? label : `${label}: ${labelIn(list, filter[name])}`,
    items: [
      {
        kind: 'radio',
        value: filter[name] ?? '',
        options: [{ value: '', label: t('Any') }, ...list],
        onChange: (next) => setFilter({ ...filter, [name]: next || null }),
      },
    ],
  })
  const owners = [...people]
    .map(([value, label]) => ({ value, label }))
    .toSorted((a, b) => a.label.localeCompare(b.label))
  return [
    choice(t('Owner'), 'owner', owners),
    choice(t('Status'), 'status', options('status')),
    choice(t('Priority'), 'priority', options('priority')),
  ]
}

function labelIn(list: { value: string; label: string }[], value: string): string {
  return list.find((each) => each.value === value)?.label ?? value
}

function columnsOf({ columns, setColumns }: Work): MenuItem[] {
  return [
    ...allColumns
      .filter(({ name }) => name !== 'title')
      .map(({ name, label }): MenuItem => {
        const isShown = columns.includes(name)
        const next = isShown ? columns.filter((each) => each !== name) : [...columns, name]
        return { kind: 'checkbox', label, checked: isShown, onChange: () => setColumns(next) }
      }),
    { kind: 'separator' },
    { label: t('Use the usual columns'), onSelect: () => setColumns(undefined) },
  ]
}
