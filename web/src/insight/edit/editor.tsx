import { useQuery } from '@tanstack/react-query'
import { useBlocker } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { asProblem } from '../../api/problem.ts'
import { conflictOf, nameOfOther, sendIfUnchanged } from '../../data/change.ts'
import type { Dashboard, DashboardWidget, WidgetConfig } from '../../data/dashboards.ts'
import type { WidgetType } from '../../data/dashboards.ts'
import { newWidgetId, saveDashboard, widgetsQuery } from '../../data/dashboards.ts'
import { notify } from '../../data/notices.ts'
import { useSubmit } from '../../data/use-submit.ts'
import { useOnline } from '../../shell/online.ts'
import { announce } from '../../ui/announce.tsx'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Drawer } from '../../ui/drawer.tsx'
import { Empty } from '../../ui/empty.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { isTyping } from '../../ui/typing.ts'
import { useNarrow, useWithoutRail } from '../../ui/use-narrow.ts'
import { added, layOut, merged } from '../grid.ts'
import insight from '../insight.module.css'
import { Board } from './board.tsx'
import css from './edit.module.css'
import { Gallery } from './gallery.tsx'
import { useEdited } from './use-edited.ts'
import { WidgetSettings } from './widget-settings.tsx'
import { t } from '../../locales/text.ts'

type Props = {
  dashboard: Dashboard
  range: string
  onClose: () => void
}

type Theirs = { widgets: DashboardWidget[]; version: number; by: string }

/** The widgets of a dashboard while they are added, moved, sized and removed; nobody sees it until it is saved. */
export default function Editor({ dashboard, range, onClose }: Props) {
  const edited = useEdited(dashboard)
  const { now, base, version, isChanged, change } = edited
  const [asked, setAsked] = useState<string | null>(null)
  const [isAdding, setAdding] = useState(false)
  const [theirs, setTheirs] = useState<Theirs | null>(null)
  const isOnline = useOnline()
  const isNarrow = useWithoutRail()
  const isPhone = useNarrow()
  const isOver = useRef(false)
  const leaving = useBlocker({
    shouldBlockFn: () => isChanged && !isOver.current,
    enableBeforeUnload: false,
    withResolver: true,
  })
  const numbers = widgetsQuery(dashboard.dashboard_id, { time_filter: range, filters: {} }, now)
  const { data: answers } = useQuery({ ...numbers, enabled: now.length > 0 })
  const close = () => {
    isOver.current = true
    edited.forget()
    onClose()
  }
  const saving = useSubmit(async () => {
    if (!isChanged) return close()
    try {
      const widgets = layOut(now).map(({ widget, cells }) => ({ ...widget, position: cells }))
      await sendIfUnchanged(version, ['widgets'], (headers) =>
        saveDashboard(dashboard.dashboard_id, { widgets }, headers),
      )
      notify({ message: t('{name} saved', { name: dashboard.dashboard_name }) })
      close()
    } catch (error) {
      const conflict = conflictOf(asProblem(error))
      const current = conflict?.current as Dashboard | null | undefined
      if (!conflict || !current) throw error
      setTheirs({
        widgets: current.widgets,
        version: current.version,
        by: nameOfOther(conflict, 'widgets'),
      })
    }
  })
  const add = (widget_type: WidgetType, config: WidgetConfig, name: string) => {
    const widget_id = newWidgetId()
    const like = { widget_id, widget_type, config, is_visible: true }
    const rest = { refresh_interval: 300, last_refreshed: null, position: { w: 6, h: 4 } }
    change(added(now, { ...like, ...rest }))
    announce(t('{name} was added below', { name }))
    setAdding(false)
    focusOn(widget_id)
  }
  const copy = (id: string) => {
    const found = now.find(({ widget_id }) => widget_id === id)
    if (!found) return
    const widget_id = newWidgetId()
    change(added(now, { ...found, widget_id }))
    focusOn(widget_id)
  }
  const remove = (id: string) => {
    const at = now.findIndex(({ widget_id }) => widget_id === id)
    const rest = now.filter(({ widget_id }) => widget_id !== id)
    change(rest)
    announce(t('Removed'))
    const next = rest[at] ?? rest.at(-1)
    if (next) focusOn(next.widget_id)
  }
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const isControl = (event.ctrlKey || event.metaKey) && !event.altKey
    if (!isControl || event.key.toLowerCase() !== 'z' || isTyping(event.target)) return
    event.preventDefault()
    if (event.shiftKey) edited.redo()
    else edited.undo()
  })
  useEffect(() => {
    const stopping = new AbortController()
    document.addEventListener('keydown', onKey, { signal: stopping.signal })
    return () => stopping.abort()
  }, [])
  const settings = now.find(({ widget_id }) => widget_id === asked)
  return (
    <div className={insight.page}>
      <PageHeader
        title={dashboard.dashboard_name}
        note={
          isPhone
            ? undefined
            : isChanged
              ? t('Draft on this device, others see the old one')
              : t('Editing')
        }
        actions={
          <>
            <IconButton
              icon="undo"
              label={t('Undo')}
              shortcut="Mod+Z"
              disabled={!edited.past.length}
              onClick={edited.undo}
            />
            <IconButton
              icon="redo"
              label={t('Redo')}
              shortcut="Mod+Shift+Z"
              disabled={!edited.future.length}
              onClick={edited.redo}
            />
            {isNarrow ? (
              <IconButton icon="plus" label={t('Add a widget')} onClick={() => setAdding(true)} />
            ) : null}
            <Button variant="quiet" onClick={close}>
              {isChanged ? t('Discard') : t('Cancel')}
            </Button>
            <Button
              variant="primary"
              busy={saving.isBusy}
              disabled={!isOnline}
              onClick={() => saving.submit()}
            >
              {t('Done [saved]')}
            </Button>
          </>
        }
      />
      {edited.isFound && edited.past.length === 0 && isChanged ? (
        <Banner>{t('Changes of an earlier visit were not saved: here they are.')}</Banner>
      ) : null}
      {theirs ? (
        <Conflict
          {...{ base, now, theirs }}
          onChoose={(next) => {
            edited.rebase(theirs.widgets, theirs.version, next)
            setTheirs(null)
          }}
        />
      ) : saving.problem ? (
        <Banner kind="bad">{saving.problem.message}</Banner>
      ) : null}
      <div className={css.editor}>
        <div className={insight.scroll}>
          {isNarrow ? null : (
            <p className={css.keys}>
              <Kbd keys="Enter" /> {t('move and size')} <Kbd keys="Mod+D" /> {t('duplicate [key]')}{' '}
              <Kbd keys="Delete" /> {t('remove [key]')}
            </p>
          )}
          {now.length ? (
            <Board
              widgets={now}
              {...{ answers }}
              onChange={change}
              onSettings={setAsked}
              onCopy={copy}
              onRemove={remove}
            />
          ) : (
            <Empty icon="dashboard" title={t('Nothing here yet')}>
              {t('Add a widget: numbers of customers, deals and delivery, or a saved report.')}
            </Empty>
          )}
        </div>
        {isNarrow ? (
          <Drawer open={isAdding} onOpenChange={setAdding} title={t('Add a widget')}>
            <Gallery onAdd={add} />
          </Drawer>
        ) : (
          <aside className={css.aside} aria-label={t('Add a widget')}>
            <h2>{t('Add a widget')}</h2>
            <Gallery onAdd={add} />
          </aside>
        )}
      </div>
      {settings ? (
        <WidgetSettings
          key={settings.widget_id}
          widget={settings}
          onClose={() => setAsked(null)}
          onChange={(next) => {
            change(now.map((each) => (each === settings ? next : each)))
            setAsked(null)
          }}
        />
      ) : null}
      {leaving.status === 'blocked' ? (
        <ConfirmDialog
          open
          onOpenChange={(open) => {
            if (!open) leaving.reset()
          }}
          title={t('Leave without saving?')}
          description={t('Your changes stay on this device, and nobody else sees them.')}
          confirm={t('Leave')}
          cancel={t('Stay')}
          danger={false}
          onConfirm={leaving.proceed}
        />
      ) : null}
    </div>
  )
}

/** Puts the focus on a card once it stands. */
function focusOn(id: string): void {
  requestAnimationFrame(() => {
    const card = document.querySelector<HTMLElement>(`[data-widget="${CSS.escape(id)}"]`)
    card?.focus()
    card?.scrollIntoView({ block: 'nearest' })
  })
}

type ConflictProps = {
  base: DashboardWidget[]
  now: DashboardWidget[]
  theirs: Theirs
  onChoose: (next: DashboardWidget[]) => void
}

/** Somebody else has saved widgets meanwhile: both are kept, or one of them. */
function Conflict({ base, now, theirs, onChoose }: ConflictProps) {
  const both = merged(base, now, theirs.widgets)
  const person = theirs.by
  return (
    <Banner
      kind="warn"
      actions={
        <>
          <Button size="small" variant="primary" onClick={() => onChoose(both.widgets)}>
            {t('Take both')}
          </Button>
          <Button size="small" onClick={() => onChoose(now)}>
            {t('Take mine')}
          </Button>
          <Button size="small" onClick={() => onChoose(theirs.widgets)}>
            {t('Take theirs')}
          </Button>
        </>
      }
    >
      {t('{person} changed this dashboard meanwhile.', { person })}{' '}
      {both.both.length
        ? t(
            'You both changed {count} widget: with both, yours is taken. | You both changed {count} widgets: with both, yours are taken.',
            { count: both.both.length },
          )
        : t('You changed other widgets.')}
    </Banner>
  )
}
