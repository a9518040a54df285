import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { duplicateRecord, notifyRefusal } from '../../data/change.ts'
import { moduleQuery } from '../../data/modules.ts'
import type { Template } from '../../data/templates.ts'
import { endDraft, templateQuery } from '../../data/templates.ts'
import { useMay } from '../../data/session.ts'
import { useCells } from '../../projects/use-cells.ts'
import { useDraft } from '../../projects/use-draft.ts'
import { later } from '../../records/later.tsx'
import { usePageTitle } from '../../records/page-title.ts'
import { ReadFault } from '../../records/read-fault.tsx'
import { shortDay, today } from '../../records/field/format.ts'
import { useFormat } from '../../records/field/use-format.ts'
import { useShortcuts } from '../../shortcuts/keys.ts'
import { Button } from '../../ui/button.tsx'
import { counted } from '../../ui/counted.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { Menu } from '../../ui/menu.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Tag } from '../../ui/tag.tsx'
import { useNarrow } from '../../ui/use-narrow.ts'
import type { Column } from './columns.ts'
import { LineGrid } from './grid.tsx'
import { lengthOf } from './lines.ts'
import type { LineRow } from './lines.ts'
import { LineList } from './line-list.tsx'
import type { Draft } from './merge.ts'
import { CompareDialog, PublishDialog } from './publish.tsx'
import type { When } from './rail.tsx'
import { PreviewPart, RolesPart, VersionsPart, usePreview } from './rail.tsx'
import { SavedMark } from './saved-mark.tsx'
import { Strip } from './strip.tsx'
import { Suggestions } from './suggestions.tsx'
import type { Edited } from './use-edited.ts'
import { useEdited } from './use-edited.ts'
import { useTemplateWork } from './use-template-work.ts'
import styles from './editor.module.css'

const UseTemplate = later(() => import('../use-template.tsx'))

/** A template as a grid in working days, with its preview, roles and versions; a draft saves itself. */
export default function TemplateEditor() {
  const { id = '' } = useParams({ strict: false })
  const { data: template, error, refetch } = useQuery(templateQuery(id))
  const edited = useEdited(id)
  usePageTitle(template?.template_name ?? 'Template')
  const fault = error ?? edited.error
  if (fault && !(template && edited.draft)) {
    const again = () => void Promise.all([refetch(), edited.refetch()])
    return (
      <div className={styles.page}>
        <PageHeader title="Template" before={<Parent />} />
        <ReadFault title="The template could not be read" error={fault} onRetry={again} />
      </div>
    )
  }
  if (!template || !edited.draft) {
    return (
      <div className={styles.page}>
        <PageHeader title="Template" before={<Parent />} />
        <SkeletonRows count={10} />
      </div>
    )
  }
  return <Editor key={id} template={template} edited={edited} draft={edited.draft} />
}

function Parent() {
  return (
    <>
      <Link to="/templates">Templates</Link>
      <span aria-hidden="true">/</span>
    </>
  )
}

type Shown = 'use' | 'publish' | 'compare'

function Editor({ template, edited, draft }: { template: Template; edited: Edited; draft: Draft }) {
  const { template_id: id, template_name: name } = template
  const work = useTemplateWork(template, edited, draft)
  const { lines, mayEdit, statistics } = work
  const isNarrow = useNarrow()
  const mayUse = useMay('projects', 'create')
  const [shown, setShown] = useState<Shown>()
  const format = useFormat()
  const [when, setWhen] = useState<When>({ by: 'start_date', day: today(format.timezone) })
  const preview = usePreview(id, when, edited.version)
  const next = edited.published + 1
  const close = () => setShown(undefined)
  return (
    <div className={styles.page}>
      <PageHeader
        title={name}
        before={<Parent />}
        actions={
          <>
            {mayEdit ? <SavedMark edited={edited} /> : null}
            {mayUse ? (
              <Button icon="folder-kanban" onClick={() => setShown('use')}>
                Use
              </Button>
            ) : null}
            {mayEdit && edited.isDraft && !isNarrow ? (
              <Button
                variant="primary"
                disabled={edited.saving !== 'saved'}
                onClick={() => setShown('publish')}
              >
                Publish version {next}
              </Button>
            ) : null}
            <More {...{ template, edited, mayEdit }} />
          </>
        }
      />
      <Strip {...{ lines, statistics }}>
        {edited.isDraft ? <Tag neutral>{`Draft of version ${next}`}</Tag> : null}
      </Strip>
      {isNarrow ? (
        <LineList work={work} />
      ) : (
        <div className={styles.halves}>
          <Table {...{ work, edited }} rows={preview.data?.rows} />
          <aside className={styles.rail} aria-label="About the template">
            {preview.mayUse ? (
              <PreviewPart when={when} onWhen={setWhen} data={preview.data} error={preview.error} />
            ) : null}
            <RolesPart work={work} />
            <VersionsPart
              id={id}
              published={edited.published}
              isDraft={edited.isDraft}
              onCompare={() => setShown('compare')}
            />
          </aside>
        </div>
      )}
      {shown === 'use' ? (
        <UseTemplate target={{ kind: 'new' }} templateId={id} onClose={close} />
      ) : null}
      {shown === 'publish' ? (
        <PublishDialog template={template} lines={lines} onClose={close} onDone={edited.reset} />
      ) : null}
      {shown === 'compare' ? (
        <CompareDialog template={template} lines={lines} onClose={close} />
      ) : null}
    </div>
  )
}

type TableProps = {
  work: ReturnType<typeof useTemplateWork>
  edited: Edited
  /** the dates of the preview */
  rows: { ref: string; start_date: string }[] | undefined
}

/** The grid with its tools and keys. */
function Table({ work, edited, rows: dated }: TableProps) {
  const { rows, mayEdit, lines } = work
  const format = useFormat()
  const table = useRef<HTMLTableElement>(null)
  const cells = useCells<Column>(table, rows, work.real, 'title')
  const line = useDraft(work, (above) => {
    if (above) cells.go({ id: above.id, column: 'title' })
  })
  const [hasDates, setDates] = useState(false)
  const dates = new Map((dated ?? []).map(({ ref, start_date }) => [ref, start_date]))
  const dayOf = (row: LineRow): string => {
    if (row.kind === 'loose') return ''
    const { start, days } = row.kind === 'task' ? row.task : row.milestone
    const date = dates.get(row.id)
    if (hasDates && date) return shortDay(date, format)
    return days > 1 ? `${start + 1}–${start + days}` : `${start + 1}`
  }
  const toggleDates = () => setDates(!hasDates)
  useShortcuts([
    { keys: 'Mod+z', label: 'Undo', group: 'Template', run: edited.undo },
    { keys: 'Mod+Shift+z', label: 'Redo', group: 'Template', run: edited.redo },
    { keys: 'p', label: 'Show dates', group: 'Template', run: toggleDates },
    { keys: 'Enter', label: 'Edit the cell', group: 'Template' },
    { keys: 'm', label: 'All that can be done to the row', group: 'Template' },
    { keys: 'Alt+ArrowUp', label: 'Move up, down, in or out', group: 'Template' },
    { keys: 'Delete', label: 'Delete', group: 'Template' },
  ])
  return (
    <div className={styles.work}>
      <div className={styles.tools}>
        {dated ? (
          <Button icon="calendar" aria-pressed={hasDates} onClick={toggleDates}>
            Preview dates <Kbd keys="p" />
          </Button>
        ) : null}
        <span className={styles.space} />
        <Suggestions work={work} />
        {mayEdit ? (
          <>
            <Button icon="milestone" onClick={() => line.append(1)}>
              New milestone
            </Button>
            <Button icon="plus" disabled={!lines.milestones.length} onClick={() => line.append(2)}>
              New task
            </Button>
          </>
        ) : null}
      </div>
      <LineGrid {...{ work, table, cells, line, dayOf }} />
      <p className={styles.foot}>
        {mayEdit
          ? `${counted(lines.tasks.length, 'task')} · ${counted(lengthOf(lines), 'working day')} · Ctrl+Z takes back`
          : work.template.is_predefined
            ? 'It comes with the product. Duplicate it to change it.'
            : 'You can read this template.'}
      </p>
    </div>
  )
}

type MoreProps = { template: Template; edited: Edited; mayEdit: boolean }

/** What else can be done to the template. */
function More({ template, edited, mayEdit }: MoreProps) {
  const { template_id: id } = template
  const navigate = useNavigate()
  const { data: module } = useSuspenseQuery(moduleQuery('templates'))
  const mayCreate = useMay('templates', 'create')
  const items = [
    ...(mayEdit && edited.isDraft
      ? [
          {
            label: 'Discard the draft',
            icon: 'undo' as const,
            disabled: edited.saving !== 'saved',
            onSelect: () => void endDraft(id, null).then(edited.reset).catch(notifyRefusal),
          },
        ]
      : []),
    ...(mayCreate
      ? [
          {
            label: 'Duplicate',
            icon: 'copy' as const,
            onSelect: () =>
              void duplicateRecord(module, id)
                .then((copy) => navigate({ to: '/templates/$id', params: { id: copy } }))
                .catch(notifyRefusal),
          },
        ]
      : []),
  ]
  if (!items.length) return null
  return (
    <Menu
      align="end"
      trigger={<IconButton label={`More about ${template.template_name}`} icon="more" />}
      items={items}
    />
  )
}
