import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { asProblem } from '../api/problem.ts'
import { notifyRefusal } from '../data/change.ts'
import { convertDeal } from '../data/deal.ts'
import { fieldOf, moduleQuery } from '../data/modules.ts'
import type { AnyRecord } from '../data/record.ts'
import type { TemplateUseBody } from '../data/templates.ts'
import { applyTemplate, templatesQuery, templateUseQuery, usageQuery } from '../data/templates.ts'
import { useMay } from '../data/session.ts'
import { useSubmit } from '../data/use-submit.ts'
import { searchPeople } from '../records/field/choices.ts'
import { FieldEditor } from '../records/field/edit.tsx'
import { clock, today } from '../records/field/format.ts'
import { useFormat } from '../records/field/use-format.ts'
import type { Person } from '../ui/avatar.tsx'
import { Button } from '../ui/button.tsx'
import { Choice } from '../ui/choice.tsx'
import { DateField } from '../ui/date-field.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { Kbd } from '../ui/kbd.tsx'
import { PersonField } from '../ui/person-field.tsx'
import { TextField } from '../ui/text-field.tsx'
import { usePaused } from '../ui/use-paused.ts'
import { byFit } from './fitting.ts'
import { outlineOf, roleLabel } from './outline.ts'
import { PartChoices } from './part-choices.tsx'
import { Preview } from './preview.tsx'
import { RoleLoad } from './role-load.tsx'
import type { Target } from './target.ts'
import styles from './templates.module.css'
import { usePart } from './use-part.ts'
import { t } from '../locales/text.ts'

type Props = {
  target: Target
  /** the template that is chosen at first */
  templateId?: string
  onClose: () => void
  /** opens what makes a new project without a template */
  onPlain?: () => void
}

/** Chooses a template, its dates and its people, shows what it comes to, and creates that in one act. */
export default function UseTemplate({ target, templateId, onClose, onPlain }: Props) {
  const navigate = useNavigate()
  const format = useFormat()
  const { data: templates } = useSuspenseQuery(templatesQuery)
  const { data: projects } = useSuspenseQuery(moduleQuery('projects'))
  const { data: usage } = useQuery(usageQuery)
  const [name, setName] = useState('')
  const fitting = byFit(templates, target.kind === 'new' ? name : aboutOf(target), usage)
  const [chosen, setChosen] = useState(templateId ?? fitting[0]?.template.template_id ?? null)
  const template = templates.find(({ template_id }) => template_id === chosen) ?? templates[0]
  const [record, setRecord] = useState<AnyRecord>({})
  const [date, setDate] = useState<{ by: 'start_date' | 'go_live_date'; day: string | null }>({
    by: 'start_date',
    day: today(format.timezone),
  })
  const [people, setPeople] = useState<{ [role: string]: Chosen | null }>({})
  const mayInvite = useMay('users', 'create')
  const outline = template && outlineOf(template)
  const part = usePart(target.kind === 'project' ? target.id : undefined, outline)
  const account = fieldOf(projects, 'account_id')
  const body: TemplateUseBody = {
    ...(target.kind === 'deal' ? { deal_id: target.id } : {}),
    ...(target.kind === 'project' ? { project_id: target.id } : {}),
    ...(target.kind === 'new' && name.trim() ? { project_name: name.trim() } : {}),
    ...(typeof record.account_id === 'string' ? { account_id: record.account_id } : {}),
    ...(date.day ? { [date.by]: date.day } : {}),
    roles: Object.fromEntries(
      Object.entries(people).map(([role, person]) => [
        role,
        person?.isInvited ? { email: person.name } : (person?.id ?? null),
      ]),
    ),
    ...(target.kind === 'project' ? part.body : {}),
  }
  const typed = JSON.stringify([chosen, body])
  const isPaused = usePaused(typed, 200) === typed
  const { data, error, isPlaceholderData } = useQuery({
    ...templateUseQuery(template?.template_id ?? '', body),
    enabled: isPaused && template !== undefined && !part.isEmpty,
  })
  const invited = new Set(
    data?.roles.flatMap(({ user }) => (user && user.user_id === null ? user.full_name : [])),
  ).size
  const isCurrent = data !== undefined && !isPlaceholderData && !error && isPaused
  const { submit, isBusy, problem } = useSubmit(async () => {
    if (!template || !isCurrent) return
    const id = await applyTemplate(
      template.template_id,
      body,
      ({ project_name, tasks, told_at }) => ({
        message:
          target.kind === 'project'
            ? t('{count} task added from {template} | {count} tasks added from {template}', {
                count: tasks,
                template: template.template_name,
              })
            : t('{project} created from {template}', {
                project: project_name,
                template: template.template_name,
              }),
        ...(told_at
          ? {
              detail: invited
                ? t('Whoever has work in it or is invited is mailed at {time}', {
                    time: clock(told_at, format),
                  })
                : t('Whoever has work in it is mailed at {time}', {
                    time: clock(told_at, format),
                  }),
            }
          : {}),
      }),
      async (made) => {
        const { pathname } = location
        if (target.kind === 'project' || !pathname.includes(made)) return () => {}
        await navigate({ to: target.kind === 'deal' ? `/deals/${target.id}` : '/projects' })
        return () => void navigate({ to: pathname })
      },
    )
    onClose()
    await navigate({ to: '/projects/$id/{-$tab}', params: { id } })
  })
  const choose = (next: string | null) => {
    setChosen(next)
    setPeople({})
    part.reset()
  }
  const others = fitting
    .filter(({ template: { template_id }, fits }) => fits && template_id !== template?.template_id)
    .slice(0, 2)
  const existing = existingIn(error)
  const refusal = problem ?? (error ? asProblem(error) : undefined)
  const cannot = part.isEmpty ? t('Choose a milestone') : refusal?.message
  const words = wordsOf(target)
  const plain =
    target.kind === 'deal'
      ? () =>
          void convertDeal(target.id)
            .then((id) => navigate({ to: `/projects/${id}` }))
            .catch(notifyRefusal)
      : onPlain

  return (
    <Dialog
      open
      size="wide"
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
      title={words.title}
      description={words.about}
      onSubmit={submit}
      footer={
        <>
          <p className={styles.total} role="status">
            {data && isCurrent ? totalOf(target, data, invited) : ''}
          </p>
          {plain && target.kind !== 'project' ? (
            <Button variant="quiet" onClick={plain}>
              {t('Without a template')}
            </Button>
          ) : null}
          <Button onClick={onClose}>{t('Cancel')}</Button>
          {existing ? (
            <Button
              variant="primary"
              onClick={() => void navigate({ to: `/projects/${existing}` })}
            >
              {t('Open its project')}
            </Button>
          ) : (
            <Button type="submit" variant="primary" busy={isBusy} disabled={!isCurrent}>
              {words.act} <Kbd keys="Mod+Enter" plain />
            </Button>
          )}
        </>
      }
    >
      <div
        className={styles.halves}
        onKeyDownCapture={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
          event.preventDefault()
          event.stopPropagation()
          submit()
        }}
      >
        <div className={styles.choices}>
          <Field label={t('Template')}>
            <Choice
              value={template?.template_id ?? null}
              onChange={choose}
              options={fitting.map(({ template: each, fits }, at) => ({
                value: each.template_id,
                label: each.template_name,
                description: factsOf(outlineOf(each)),
                group:
                  fits && at < 3
                    ? t('Most fitting')
                    : each.is_predefined
                      ? t('Shipped')
                      : t('Ours'),
              }))}
            />
          </Field>
          {others.length ? (
            <div className={styles.fits} role="group" aria-label={t('Fits too')}>
              <span>{t('Fits too:')}</span>
              {others.map(({ template: each }) => (
                <Button
                  key={each.template_id}
                  size="small"
                  onClick={() => choose(each.template_id)}
                >
                  {each.template_name}
                </Button>
              ))}
            </div>
          ) : null}
          {target.kind === 'new' ? (
            <div className={styles.pair}>
              <Field label={t('Project name')} error={refusal?.of('project_name')}>
                <TextField value={name} onChange={setName} placeholder={template?.template_name} />
              </Field>
              {account ? (
                <Field label={account.label} error={refusal?.of('account_id')}>
                  <FieldEditor
                    field={account}
                    record={record}
                    onCommit={() => {}}
                    onChange={({ value, shown }) =>
                      setRecord((before) => ({ ...before, ...shown, account_id: value }))
                    }
                  />
                </Field>
              ) : null}
            </div>
          ) : null}
          <div className={styles.pair}>
            {(['start_date', 'go_live_date'] as const).map((by) => (
              <Field
                key={by}
                label={by === 'start_date' ? t('Start on') : t('Go live on')}
                error={refusal?.of(by)}
              >
                <DateField
                  value={date.by === by ? date.day : (data?.[by] ?? null)}
                  onChange={(day) => setDate({ by, day })}
                />
              </Field>
            ))}
          </div>
          {target.kind === 'project' ? <PartChoices part={part} /> : null}
          {data?.roles.length ? (
            <fieldset className={styles.ticks}>
              <legend>{t('People')}</legend>
              {data.roles.map(({ role, tasks, user, load }) => (
                <Field
                  key={role}
                  row
                  label={roleLabel(role)}
                  hint={tasks ? t('{count} task | {count} tasks', { count: tasks }) : undefined}
                  error={refusal?.of(`roles.${role}.email`) ?? refusal?.of(`roles.${role}`)}
                  className={styles.role}
                  controlClass={styles.person}
                >
                  <PersonField
                    value={
                      people[role] === undefined
                        ? user && { id: user.user_id ?? '', name: user.full_name }
                        : people[role]
                    }
                    onChange={(person) => setPeople((before) => ({ ...before, [role]: person }))}
                    search={searchPeople}
                    onInvite={
                      mayInvite
                        ? (name) =>
                            setPeople((before) => ({
                              ...before,
                              [role]: { id: name, name, isInvited: true },
                            }))
                        : undefined
                    }
                    placeholder={t('Nobody yet')}
                    clearable
                  />
                  {load ? <RoleLoad load={load} isOld={!isCurrent} /> : null}
                </Field>
              ))}
            </fieldset>
          ) : null}
        </div>
        <Preview
          data={data}
          isOld={!isCurrent}
          refusal={existing ? t('It has a project.') : cannot}
        />
      </div>
    </Dialog>
  )
}

/** Who has a role; `isInvited` is somebody who is invited by the address that is their name. */
type Chosen = Person & { isInvited?: boolean }

/** The project of a deal that has one already. */
function existingIn(error: unknown): string | undefined {
  if (!error) return undefined
  const { project_id } = (asProblem(error).data ?? {}) as { project_id?: unknown }
  return typeof project_id === 'string' ? project_id : undefined
}

/** The words of a deal or project by which templates fit: its name, tags and description. */
function aboutOf({
  name,
  record: { tags, description },
}: Exclude<Target, { kind: 'new' }>): string {
  return [name, tags, description]
    .flat()
    .filter((each) => typeof each === 'string')
    .join(' ')
}

function factsOf({ tasks, days }: { tasks: number; days: number }): string {
  return [
    t('{count} task | {count} tasks', { count: tasks }),
    t('{count} working day | {count} working days', { count: days }),
  ].join(', ')
}

function wordsOf(target: Target) {
  switch (target.kind) {
    case 'new':
      return { title: t('New project'), about: t('From a template'), act: t('Create project') }
    case 'deal':
      return {
        title: t('Create the project'),
        about: t('Of {name}', { name: target.name }),
        act: t('Create project'),
      }
    case 'project':
      return {
        title: t('Add from template'),
        about: t('To {name}', { name: target.name }),
        act: t('Add'),
      }
  }
}

function totalOf(
  target: Target,
  { milestones, tasks }: { milestones: unknown[]; tasks: number },
  invited: number,
) {
  const counts = [
    t('{count} milestone | {count} milestones', { count: milestones.length }),
    t('{count} task | {count} tasks', { count: tasks }),
  ].join(', ')
  const made =
    target.kind === 'project'
      ? t('Adds {counts}.', { counts })
      : t('Creates 1 project, {counts}.', { counts })
  if (!invited) return made
  const invites = t(
    'Invites 1 person ten minutes later. | Invites {count} people ten minutes later.',
    { count: invited },
  )
  return `${made} ${invites}`
}
