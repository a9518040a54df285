import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useMay } from '../data/session.ts'
import type { Suggestion } from '../data/templates.ts'
import { createTemplate, suggestionQuery } from '../data/templates.ts'
import { useSubmit } from '../data/use-submit.ts'
import { ReadFault } from '../records/read-fault.tsx'
import { Button } from '../ui/button.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { Empty } from '../ui/empty.tsx'
import { Field } from '../ui/field.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { TextField } from '../ui/text-field.tsx'
import type { SuggestedLine, SuggestedStage } from './suggested-lines.ts'
import { suggestedStages, takenOver } from './suggested-lines.ts'
import { useNarrow } from '../ui/use-narrow.ts'
import styles from './suggested.module.css'
import { language, t } from '../locales/text.ts'

/** A template that past projects suggest, each line with what it rests on; what is ticked can become one. */
export default function Suggested() {
  const [typed, setTyped] = useState('')
  const [prompt, setPrompt] = useState('')
  const { data, error, refetch, isPlaceholderData } = useQuery(suggestionQuery(prompt))
  if (error && !data) {
    return <ReadFault title={t('Nothing could be suggested')} error={error} onRetry={refetch} />
  }
  if (!data) return <SkeletonRows count={8} />
  const isKnown = data.past_projects > 0
  return (
    <div className={styles.suggested}>
      <form
        className={styles.about}
        onSubmit={(event) => {
          event.preventDefault()
          setPrompt(typed.trim())
        }}
      >
        <Field label={t('What is the project about?')}>
          <TextField
            value={typed}
            onChange={setTyped}
            maxLength={2000}
            placeholder={t('The most usual project')}
          />
        </Field>
        <Button type="submit" busy={isPlaceholderData}>
          {t('Suggest')}
        </Button>
      </form>
      {isKnown ? (
        <Lines key={prompt + data.template_name} suggestion={data} />
      ) : (
        <Empty icon="zap" title={t('Nothing to suggest yet')}>
          {t('Once tasks of a project are finished, what it really took is suggested here.')}
        </Empty>
      )}
    </div>
  )
}

function Lines({ suggestion }: { suggestion: Suggestion }) {
  const { template_config: config, based_on, past_projects: past } = suggestion
  const navigate = useNavigate()
  const mayCreate = useMay('templates', 'create')
  const isNarrow = useNarrow()
  const [name, setName] = useState(suggestion.template_name)
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const stages = suggestedStages(config)
  const take = (keys: string[], isTaken: boolean) =>
    setLeft((before) => (isTaken ? before.difference(new Set(keys)) : before.union(new Set(keys))))
  const keysOf = ({ key, lines }: SuggestedStage) =>
    lines.length ? lines.map((line) => line.key) : [key]
  const taken = stages.flatMap(({ lines }) => lines.filter(({ key }) => !left.has(key)))
  const { submit, isBusy, problem } = useSubmit(async () => {
    const body = {
      template_name: name.trim(),
      description: suggestion.description,
      template_config: takenOver(config, (key) => left.has(key)),
    }
    const made = await createTemplate(body, () =>
      navigate({ to: '/templates', search: { show: 'suggested' } }),
    )
    await navigate({ to: '/templates/$id', params: { id: made } })
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <p className={styles.basis}>
        {suggestion.model_failed
          ? t(
              'What {count} past project took. Based on {projects}. The language model had no answer. | What {count} past projects took. Based on {projects}. The language model had no answer.',
              { count: past, projects: listed(based_on) },
            )
          : t(
              'What {count} past project took. Based on {projects}. | What {count} past projects took. Based on {projects}.',
              { count: past, projects: listed(based_on) },
            )}
      </p>
      <table className={styles.lines}>
        <thead>
          <tr>
            <th scope="col">{t('Title')}</th>
            <th scope="col">{t('Day')}</th>
            <th scope="col">{t('Days')}</th>
            {isNarrow ? null : <th scope="col">{t('Why')}</th>}
          </tr>
        </thead>
        {stages.map((stage) => (
          <StageLines
            key={stage.key}
            stage={stage}
            left={left}
            isNarrow={isNarrow}
            onTake={mayCreate ? take : undefined}
            keys={keysOf(stage)}
          />
        ))}
      </table>
      {mayCreate ? (
        <div className={styles.foot}>
          <Field label={t('Name')} error={problem?.of('template_name')}>
            <TextField value={name} onChange={setName} maxLength={255} />
          </Field>
          <Button
            type="submit"
            variant="primary"
            busy={isBusy}
            disabled={!taken.length || !name.trim()}
          >
            {t('Create a template of {count} task | Create a template of {count} tasks', {
              count: taken.length,
            })}
          </Button>
          {problem && !problem.of('template_name') ? <p role="alert">{problem.message}</p> : null}
        </div>
      ) : null}
    </form>
  )
}

type StageProps = {
  stage: SuggestedStage
  keys: string[]
  left: ReadonlySet<string>
  /** what a task rests on stands below its title */
  isNarrow: boolean
  /** nothing can be ticked without it */
  onTake: ((keys: string[], isTaken: boolean) => void) | undefined
}

function StageLines({ stage, keys, left, isNarrow, onTake }: StageProps) {
  const some = keys.filter((key) => !left.has(key)).length
  return (
    <tbody>
      <tr>
        <th scope="rowgroup">
          <Title
            words={stage.name}
            isTaken={some === keys.length}
            isPartly={some > 0 && some < keys.length}
            onTake={onTake && ((isTaken) => onTake(keys, isTaken))}
          />
        </th>
        <td>{daysIn(stage)}</td>
        <td>{stage.last - stage.first + 1}</td>
        {isNarrow ? null : (
          <td className={styles.why}>
            {t('{count} task | {count} tasks', { count: stage.lines.length })}
          </td>
        )}
      </tr>
      {stage.lines.map((line) => (
        <tr key={line.key} data-left={left.has(line.key) || undefined}>
          <th scope="row" className={styles.task}>
            <Title
              words={line.title}
              hint={isNarrow ? line.why : undefined}
              isTaken={!left.has(line.key)}
              onTake={onTake && ((isTaken) => onTake([line.key], isTaken))}
            />
          </th>
          <td>{daysIn(line)}</td>
          <td>{line.last - line.first + 1}</td>
          {isNarrow ? null : <td className={styles.why}>{line.why}</td>}
        </tr>
      ))}
    </tbody>
  )
}

function Title({
  words,
  hint,
  isTaken,
  isPartly = false,
  onTake,
}: {
  words: string
  hint?: string | undefined
  isTaken: boolean
  isPartly?: boolean
  onTake: ((isTaken: boolean) => void) | undefined
}) {
  if (!onTake) {
    return (
      <>
        {words}
        {hint ? <div className={styles.why}>{hint}</div> : null}
      </>
    )
  }
  return (
    <Checkbox checked={isTaken} indeterminate={isPartly} hint={hint} onChange={onTake}>
      {words}
    </Checkbox>
  )
}

function daysIn({ first, last }: Pick<SuggestedLine, 'first' | 'last'>): string {
  return first === last ? String(first) : `${first}–${last}`
}

function listed(names: string[]): string {
  return new Intl.ListFormat(language).format(names)
}
