import { useRef, useState } from 'react'
import type { Problem } from '../api/problem.ts'
import { asProblem } from '../api/problem.ts'
import type { Import } from '../data/imports.ts'
import { moveImport, planImport } from '../data/imports.ts'
import type { Module } from '../data/modules.ts'
import { useSubmit } from '../data/use-submit.ts'
import { useShortcuts } from '../shortcuts/keys.ts'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { capital } from '../ui/capital.ts'
import { Choice } from '../ui/choice.tsx'
import { Field } from '../ui/field.tsx'
import { RadioGroup } from '../ui/radio.tsx'
import { Switch } from '../ui/switch.tsx'
import { openQuestions } from './answers.ts'
import { Columns } from './columns.tsx'
import { Currencies } from './currencies.tsx'
import styles from './import.module.css'
import { Matches, Questions, Refused } from './rows.tsx'
import { Trial } from './trial.tsx'
import { Values } from './values.tsx'
import { columnWords, rowsOf, startWords } from './words.ts'
import { t } from '../locales/text.ts'

/** Whether a start would write nothing, once all rows were tried. */
function writesNothing({ checked, total, options }: Import): boolean {
  if (checked?.rows !== total) return false
  return (options.all_or_nothing && checked.failed > 0) || !(checked.created + checked.updated)
}

type Change = Parameters<typeof planImport>[1]

/** The plan of an import: a target for each column, further options, and the expected results. */
export function ImportPlan({ found, module }: { found: Import; module: Module }) {
  const { import_id: id, options, reading } = found
  const [problem, setProblem] = useState<Problem>()
  const [isBusy, setBusy] = useState(false)
  // changes are sent one after another, because each contains the previous ones
  const queue = useRef(Promise.resolve())
  const pending = useRef(0)

  function change(plan: Change) {
    setProblem(undefined)
    starting.reset()
    pending.current++
    setBusy(true)
    queue.current = queue.current
      .then(async () => void (await planImport(id, plan)))
      .catch((error: unknown) => setProblem(asProblem(error)))
      .finally(() => setBusy(--pending.current > 0))
  }

  const starting = useSubmit(async () => {
    setProblem(undefined)
    await queue.current
    await moveImport(id, 'start')
  })
  const refused = problem ?? starting.problem

  const targets = Object.values(found.mapping).filter((target) => target !== null)
  const isMapped = targets.length > 0
  const open = found.column_report.filter(({ needs_choice }) => needs_choice)
  const questions = openQuestions(found)
  const canStart = isMapped && !open.length && !isBusy && !writesNothing(found)
  const linksOthers = targets.some((target) => /^(company|account)(_id)?(\.|$)/.test(target))
  // only these arrive finished
  const hasStates = ['deals', 'projects', 'tasks'].includes(found.module)
  const start = () => {
    if (canStart) starting.submit()
  }
  useShortcuts([
    { keys: 'Mod+Enter', label: t('Start the import'), group: t('Import'), run: start },
  ])
  return (
    <div className={styles.plan}>
      <div className={styles.main}>
        <p className={styles.file}>
          <strong>{found.file_name}</strong>
          <span>
            {rowsOf(found.total)}
            {found.is_remembered
              ? ` · ${t('as you imported this kind of file the last time')}`
              : ''}
          </span>
        </p>
        {reading.sheets && reading.sheets.length > 1 ? (
          <Field label={t('Sheet')}>
            <Choice
              value={reading.sheet ?? reading.sheets[0] ?? null}
              options={reading.sheets.map((sheet) => ({ value: sheet, label: sheet }))}
              onChange={(sheet) => {
                if (sheet && sheet !== reading.sheet) change({ sheet })
              }}
            />
          </Field>
        ) : null}
        {found.warnings.map((each) => (
          <p key={each} className={styles.hint}>
            {each}
          </p>
        ))}
        <Refused found={found} />
        <Columns
          found={found}
          module={module}
          onMap={(column, target) => change({ mapping: { ...found.mapping, [column]: target } })}
          onFormat={(column, format) =>
            change({ formats: { ...options.formats, [column]: format } })
          }
        />
        <Values found={found} onAnswer={change} />
        <Currencies found={found} onAnswer={change} />
        <Questions found={found} onAnswer={change} />
        <Matches found={found} />
      </div>
      <aside className={styles.side} aria-label={t('What the import does')}>
        <Trial found={found} module={module} isBusy={isBusy} />
        <Field label={t('{many} that exist already', { many: capital(module.word.many) })}>
          <RadioGroup
            value={options.on_duplicate}
            onChange={(next) => change({ on_duplicate: next as typeof options.on_duplicate })}
            options={[
              { value: 'skip', label: t('Leave them as they are') },
              { value: 'update', label: t('Update them from the file') },
              { value: 'create', label: t('Create them once more') },
            ]}
          />
        </Field>
        {linksOthers ? (
          <Field label={t('Companies and accounts that do not exist')}>
            <RadioGroup
              value={options.unknown_links}
              onChange={(next) => change({ unknown_links: next as typeof options.unknown_links })}
              options={[
                { value: 'create', label: t('Create them') },
                { value: 'report', label: t('Leave the cell empty and report it') },
              ]}
            />
          </Field>
        ) : null}
        {options.on_duplicate === 'update' ? (
          <Switch
            checked={options.empty_cells === 'clear'}
            onChange={(on) => change({ empty_cells: on ? 'clear' : 'keep' })}
          >
            {t('Empty cells empty the field')}
          </Switch>
        ) : null}
        {hasStates ? (
          <Switch checked={options.tell_apps === true} onChange={(on) => change({ tell_apps: on })}>
            {t('Tell connected apps of what was finished earlier')}
          </Switch>
        ) : null}
        <Switch checked={options.all_or_nothing} onChange={(on) => change({ all_or_nothing: on })}>
          {t('Import all rows or none')}
        </Switch>
        {refused ? (
          <Banner kind="bad" boxed>
            {refused.message}
            {refused.requestId
              ? ` ${t('(request {requestId})', { requestId: refused.requestId })}`
              : null}
          </Banner>
        ) : null}
        <div className={styles.start}>
          <Button
            variant="primary"
            size="large"
            wide
            busy={starting.isBusy}
            disabled={!canStart}
            aria-keyshortcuts="Control+Enter"
            onClick={start}
          >
            {writesNothing(found) ? t('Nothing to import') : startWords(found)}
          </Button>
          <p className={styles.hint}>
            {!isMapped
              ? t('Choose a field for at least one column.')
              : open.length
                ? t('First say how {columns} is read.', {
                    columns: open.map(({ column }) => columnWords(found, column)).join(', '),
                  })
                : questions.length
                  ? t(
                      'Not answered: {questions}. Rows and cells without an answer are left out and reported. It can be undone for 30 days.',
                      { questions: questions.join(', ') },
                    )
                  : t('It can be undone for 30 days.')}
          </p>
        </div>
      </aside>
    </div>
  )
}
