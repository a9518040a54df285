import { Button } from '../../ui/button.tsx'
import { Menu } from '../../records/later-controls.ts'
import type { MenuItem } from '../../ui/menu.tsx'
import { withLine, withTask, withoutLine } from './acts.ts'
import { newRef } from './lines.ts'
import type { TemplateWork } from './use-template-work.ts'
import { usualOf } from './usual.ts'
import { t } from '../../locales/text.ts'

/** What finished projects say about the template, each with one click; nothing where they say nothing. */
export function Suggestions({ work }: { work: TemplateWork }) {
  const { statistics, mayEdit, all, lines, apply } = work
  if (!mayEdit || !statistics) return null
  const titles = new Set(lines.tasks.map(({ title }) => title))
  const added = statistics.added.filter(({ title }) => !titles.has(title))
  const removed = statistics.lines.filter(
    ({ kind, removed: times, of }) => kind === 'task' && of >= 2 && 2 * times > of,
  )
  const other = all.flatMap((row) => {
    if (row.kind !== 'task' || row.children) return []
    const usual = usualOf(statistics, row.id, row.task.days)
    return usual?.differs ? [{ row, usual }] : []
  })
  const items: MenuItem[] = [
    ...added.map(({ title, milestone, projects, of, median }) => ({
      label: t('Add {title}', { title }),
      icon: 'plus' as const,
      description: t('added by hand in {projects} of {total} projects', { projects, total: of }),
      onSelect: () =>
        apply((now) => {
          const home = now.milestones.find(({ name }) => name === milestone)
          const id = newRef()
          const last = now.tasks.findLast(
            (task) => task.milestone_id === home?.milestone_id && task.parent_id === null,
          )
          const next = withLine(now, id, title, {
            kind: 'task',
            milestone_id: home?.milestone_id ?? null,
            parent_id: null,
            after: last?.item_id ?? null,
            before: null,
          })
          return withTask(next, id, { days: median ?? 1 })
        }),
    })),
    ...removed.flatMap(({ ref, title, removed: times, of }) => {
      const row = all.find(({ id }) => id === ref)
      if (!row) return []
      return {
        label: t('Remove {title}', { title }),
        icon: 'trash' as const,
        description: t('deleted in {projects} of {total} projects', { projects: times, total: of }),
        onSelect: () => work.remove(row, (now) => withoutLine(now, row)),
      }
    }),
    ...other.map(({ row, usual }) => ({
      label: t('{title}: {count} day | {title}: {count} days', {
        title: row.title,
        count: usual.median,
      }),
      icon: 'clock' as const,
      description: usual.words,
      onSelect: () => work.setDays(row.id, usual.median),
    })),
  ]
  if (!items.length) return null
  return (
    <Menu
      align="end"
      trigger={<Button icon="zap">{t('Suggestions {count}', { count: items.length })}</Button>}
      items={items}
    />
  )
}
