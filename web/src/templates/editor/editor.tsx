import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useMay } from '../../data/session.ts'
import type { Template } from '../../data/templates.ts'
import { templateQuery } from '../../data/templates.ts'
import { updatesQuery } from '../../data/template-updates.ts'
import { later } from '../../records/later.tsx'
import { usePageTitle } from '../../records/page-title.ts'
import { ReadFault } from '../../records/read-fault.tsx'
import { today } from '../../records/field/format.ts'
import { useFormat } from '../../records/field/use-format.ts'
import { Button } from '../../ui/button.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Tag } from '../../ui/tag.tsx'
import { useNarrow } from '../../ui/use-narrow.ts'
import { LineList } from './line-list.tsx'
import type { Draft } from './merge.ts'
import { More } from './more.tsx'
import { CompareDialog, PublishDialog } from './publish.tsx'
import type { When } from './rail.tsx'
import { PreviewPart, RolesPart, VersionsPart, usePreview } from './rail.tsx'
import { SavedMark } from './saved-mark.tsx'
import { Strip } from './strip.tsx'
import { Table } from './table.tsx'
import type { Edited } from './use-edited.ts'
import { useEdited } from './use-edited.ts'
import { useTemplateWork } from './use-template-work.ts'
import styles from './editor.module.css'
import { t } from '../../locales/text.ts'

const UseTemplate = later(() => import('../use-template.tsx'))
const UpdateProjects = later(() => import('./update-projects.tsx'))

/** A template as a grid in working days, with its preview, roles and versions; a draft saves itself. */
export default function TemplateEditor() {
  const { id = '' } = useParams({ strict: false })
  const { data: template, error, refetch } = useQuery(templateQuery(id))
  const edited = useEdited(id)
  usePageTitle(template?.template_name ?? t('Template'))
  const fault = error ?? edited.error
  if (fault && !(template && edited.draft)) {
    const again = () => void Promise.all([refetch(), edited.refetch()])
    return (
      <div className={styles.page}>
        <PageHeader title={t('Template')} before={<Parent />} />
        <ReadFault title={t('The template could not be read')} error={fault} onRetry={again} />
      </div>
    )
  }
  if (!template || !edited.draft) {
    return (
      <div className={styles.page}>
        <PageHeader title={t('Template')} before={<Parent />} />
        <SkeletonRows count={10} />
      </div>
    )
  }
  return <Editor key={id} template={template} edited={edited} draft={edited.draft} />
}

function Parent() {
  return (
    <>
      <Link to="/templates">{t('Templates')}</Link>
      <span aria-hidden="true">/</span>
    </>
  )
}

type Shown = 'use' | 'publish' | 'compare' | 'update'

function Editor({ template, edited, draft }: { template: Template; edited: Edited; draft: Draft }) {
  const { template_id: id, template_name: name } = template
  const work = useTemplateWork(template, edited, draft)
  const { lines, mayEdit, statistics } = work
  const isNarrow = useNarrow()
  const mayUse = useMay('projects', 'create')
  const mayUpdate = [useMay('projects', 'update'), useMay('tasks', 'update')].every(Boolean)
  const { data: updates } = useQuery({
    ...updatesQuery(id, edited.published),
    enabled: mayUpdate && edited.published > 1,
  })
  const older = updates ? updates.projects.length + updates.more : 0
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
                {t('Use')}
              </Button>
            ) : null}
            {mayEdit && edited.isDraft && !isNarrow ? (
              <Button
                variant="primary"
                disabled={edited.saving !== 'saved'}
                onClick={() => setShown('publish')}
              >
                {t('Publish version {version}', { version: next })}
              </Button>
            ) : null}
            <More
              {...{ template, edited, mayEdit }}
              onUpdate={older && isNarrow ? () => setShown('update') : undefined}
            />
          </>
        }
      />
      <Strip {...{ lines, statistics }}>
        {edited.isDraft ? (
          <Tag neutral>{t('Draft of version {version}', { version: next })}</Tag>
        ) : null}
      </Strip>
      {isNarrow ? (
        <LineList work={work} />
      ) : (
        <div className={styles.halves}>
          <Table {...{ work, edited }} rows={preview.data?.rows} />
          <aside className={styles.rail} aria-label={t('About the template')}>
            {preview.mayUse ? (
              <PreviewPart when={when} onWhen={setWhen} data={preview.data} error={preview.error} />
            ) : null}
            <RolesPart work={work} />
            <VersionsPart
              id={id}
              published={edited.published}
              isDraft={edited.isDraft}
              older={older}
              onUpdate={() => setShown('update')}
              onCompare={() => setShown('compare')}
            />
          </aside>
        </div>
      )}
      {shown === 'use' ? (
        <UseTemplate target={{ kind: 'new' }} templateId={id} onClose={close} />
      ) : null}
      {shown === 'publish' ? (
        <PublishDialog
          {...{ template, lines, mayUpdate }}
          onClose={close}
          onDone={edited.forget}
          onUpdate={() => setShown('update')}
        />
      ) : null}
      {shown === 'update' ? <UpdateProjects template={template} onClose={close} /> : null}
      {shown === 'compare' ? (
        <CompareDialog template={template} lines={lines} onClose={close} />
      ) : null}
    </div>
  )
}
