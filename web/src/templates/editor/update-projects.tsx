import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { asProblem } from '../../api/problem.ts'
import type { ProjectUpdate } from '../../data/template-updates.ts'
import { updateProjects, updatesQuery } from '../../data/template-updates.ts'
import type { Template } from '../../data/templates.ts'
import { useSubmit } from '../../data/use-submit.ts'
import type { Format } from '../../records/field/format.ts'
import { day, shortDay } from '../../records/field/format.ts'
import { useFormat } from '../../records/field/use-format.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import styles from './editor.module.css'
import { t } from '../../locales/text.ts'

type Props = { template: Template; onClose: () => void }

/** Brings running projects to the published version: what each would get is shown, and all of it is one undo. */
export default function UpdateProjects({ template, onClose }: Props) {
  const { template_id: id, template_name: name, published_version: version } = template
  const format = useFormat()
  const { data, error, refetch } = useQuery(updatesQuery(id, version))
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const { projects = [], hidden = 0, more = 0 } = data ?? {}
  const ids = projects.flatMap(({ project_id, problem }) =>
    problem === null && !left.has(project_id) ? project_id : [],
  )
  const { submit, isBusy, problem } = useSubmit(async () => {
    if (!ids.length) return
    await updateProjects(
      id,
      ids,
      t(
        '{count} project updated to version {version} of {name} | {count} projects updated to version {version} of {name}',
        { count: ids.length, version, name },
      ),
    ).catch((reason: unknown) => {
      void refetch()
      throw reason
    })
    onClose()
  })
  const refusal = problem?.message ?? (error ? asProblem(error).message : undefined)
  const rest = [
    ...(hidden
      ? [
          t(
            '{count} more project that you may not change | {count} more projects that you may not change',
            { count: hidden },
          ),
        ]
      : []),
    ...(more
      ? [t('{count} project after these | {count} projects after these', { count: more })]
      : []),
  ]
  return (
    <Dialog
      open
      size="large"
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
      title={t('Update running projects')}
      description={t(
        'To version {version} of {name}. What is done, or was changed by hand, stays.',
        { version, name },
      )}
      onSubmit={submit}
      footer={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button type="submit" variant="primary" busy={isBusy} disabled={!ids.length}>
            {t('Update {count} project | Update {count} projects', { count: ids.length })}
          </Button>
        </>
      }
    >
      {refusal ? <p role="alert">{refusal}</p> : null}
      {data || error ? null : <SkeletonRows count={4} />}
      {data && !projects.length ? <p>{t('No running project is of an older version.')}</p> : null}
      <ul className={styles.updates} aria-label={t('Running projects')}>
        {projects.map((project) => (
          <li key={project.project_id}>
            <Checkbox
              checked={project.problem === null && !left.has(project.project_id)}
              disabled={project.problem !== null}
              hint={project.problem ?? summaryOf(project, format)}
              onChange={(isTaken) => {
                const next = new Set(left)
                if (isTaken) next.delete(project.project_id)
                else next.add(project.project_id)
                setLeft(next)
              }}
            >
              {project.project_name}{' '}
              <small>{t('version {version}', { version: project.template_version })}</small>
            </Checkbox>
            <Details project={project} format={format} />
          </li>
        ))}
      </ul>
      {rest.length ? <p>{rest.join('. ')}</p> : null}
    </Dialog>
  )
}

/** What becomes of a project, in a line. */
function summaryOf(project: ProjectUpdate, format: Format): string {
  const { added, changed, moved, kept, go_live } = project
  const { from, to } = go_live
  const parts = [
    ...(added.length ? [t('{count} added', { count: added.length })] : []),
    ...(changed.length ? [t('{count} changed', { count: changed.length })] : []),
    ...(moved.length ? [t('{count} moved', { count: moved.length })] : []),
    ...(kept.length ? [t('{count} kept', { count: kept.length })] : []),
    ...(from && to && from !== to
      ? [t('ends {day} instead of {before}', { day: day(to, format), before: day(from, format) })]
      : []),
  ]
  return parts.length ? parts.join(' · ') : t('nothing changes in it')
}

const reasons = {
  done: t('done'),
  changed: t('changed by hand'),
  deleted: t('taken out by hand'),
  not_allowed: t('not yours to change'),
}

/** Each line of a project that is added, changed, moved or kept. */
function Details({ project, format }: { project: ProjectUpdate; format: Format }) {
  const { added, changed, moved, kept, conflicts } = project
  const span = (start: string | null, due: string | null) =>
    [...new Set([start, due])].flatMap((each) => (each ? shortDay(each, format) : [])).join(' – ')
  // the server writes days as YYYY-MM-DD
  const inWords = (text: string) => text.replaceAll(/\d{4}-\d\d-\d\d/g, (each) => day(each, format))
  const moves = ({ from, to }: ProjectUpdate['moved'][number]) =>
    from.start === to.start && from.due === to.due
      ? ''
      : `${span(from.start, from.due)} → ${span(to.start, to.due)}`
  const lines = [
    ...conflicts.map((text) => ({
      sign: '!',
      word: t('Look at this'),
      title: inWords(text),
      what: '',
    })),
    ...added.map(({ title, start_date, due_date }) => ({
      sign: '+',
      word: t('Added'),
      title,
      what: span(start_date, due_date),
    })),
    ...changed.map((line) => ({
      sign: '~',
      word: t('Changed'),
      title: line.title,
      what: [line.fields.map((name) => words[name] ?? name).join(', '), moves(line)]
        .filter(Boolean)
        .join(' · '),
    })),
    ...moved.map((line) => ({ sign: '→', word: t('Moved'), title: line.title, what: moves(line) })),
    ...kept.map(({ title, reason }) => ({
      sign: '=',
      word: t('Kept'),
      title,
      what: reasons[reason],
    })),
  ]
  if (!lines.length) return null
  return (
    <details>
      <summary>{t('Lines of {project}', { project: project.project_name })}</summary>
      <ul className={styles.differences}>
        {lines.map(({ sign, word, title, what }, at) => (
          // two lines may have the same title
          <li key={at}>
            <abbr title={word}>{sign}</abbr>
            <span>
              {title} <small>{what}</small>
            </span>
          </li>
        ))}
      </ul>
    </details>
  )
}

const words: { [field: string]: string } = {
  is_shared: t('sharing'),
  dependencies: t('after'),
  estimate_minutes: t('estimate'),
  form_id: t('form'),
  document_id: t('document'),
}
