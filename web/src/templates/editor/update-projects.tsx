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
import { counted } from '../../ui/counted.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import styles from './editor.module.css'

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
      `${counted(ids.length, 'project')} updated to version ${version} of ${name}`,
    ).catch((reason: unknown) => {
      void refetch()
      throw reason
    })
    onClose()
  })
  const refusal = problem?.message ?? (error ? asProblem(error).message : undefined)
  const rest = [
    ...(hidden ? [`${counted(hidden, 'more project')} that you may not change`] : []),
    ...(more ? [`${counted(more, 'project')} after these`] : []),
  ]
  return (
    <Dialog
      open
      size="large"
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
      title="Update running projects"
      description={`To version ${version} of ${name}. What is done, or was changed by hand, stays.`}
      onSubmit={submit}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={isBusy} disabled={!ids.length}>
            Update {counted(ids.length, 'project')}
          </Button>
        </>
      }
    >
      {refusal ? <p role="alert">{refusal}</p> : null}
      {data || error ? null : <SkeletonRows count={4} />}
      {data && !projects.length ? <p>No running project is of an older version.</p> : null}
      <ul className={styles.updates} aria-label="Running projects">
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
              {project.project_name} <small>version {project.template_version}</small>
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
    ...(added.length ? [`${added.length} added`] : []),
    ...(changed.length ? [`${changed.length} changed`] : []),
    ...(moved.length ? [`${moved.length} moved`] : []),
    ...(kept.length ? [`${kept.length} kept`] : []),
    ...(from && to && from !== to
      ? [`ends ${day(to, format)} instead of ${day(from, format)}`]
      : []),
  ]
  return parts.length ? parts.join(' · ') : 'nothing changes in it'
}

const reasons = {
  done: 'done',
  changed: 'changed by hand',
  deleted: 'taken out by hand',
  not_allowed: 'not yours to change',
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
      word: 'Look at this',
      title: inWords(text),
      what: '',
    })),
    ...added.map(({ title, start_date, due_date }) => ({
      sign: '+',
      word: 'Added',
      title,
      what: span(start_date, due_date),
    })),
    ...changed.map((line) => ({
      sign: '~',
      word: 'Changed',
      title: line.title,
      what: [line.fields.map((name) => words[name] ?? name).join(', '), moves(line)]
        .filter(Boolean)
        .join(' · '),
    })),
    ...moved.map((line) => ({ sign: '→', word: 'Moved', title: line.title, what: moves(line) })),
    ...kept.map(({ title, reason }) => ({
      sign: '=',
      word: 'Kept',
      title,
      what: reasons[reason],
    })),
  ]
  if (!lines.length) return null
  return (
    <details>
      <summary>Lines of {project.project_name}</summary>
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
  is_shared: 'sharing',
  dependencies: 'after',
  estimate_minutes: 'estimate',
  form_id: 'form',
  document_id: 'document',
}
