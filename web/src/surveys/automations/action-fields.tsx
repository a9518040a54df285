import { useQuery } from '@tanstack/react-query'
import { moduleQuery, fieldOf } from '../../data/modules.ts'
import { levelOf, useSession } from '../../data/session.ts'
import { isEditable } from '../../records/field/editable.ts'
import { FieldEditor } from '../../records/field/edit.tsx'
import { People } from '../../records/filters/condition-editor.tsx'
import { Choice } from '../../ui/choice.tsx'
import { Field } from '../../ui/field.tsx'
import { NumberField } from '../../ui/number-field.tsx'
import { Switch } from '../../ui/switch.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { TextField } from '../../ui/text-field.tsx'
import type { Action } from './rule.ts'
import results from '../results.module.css'
import styles from '../share/share.module.css'
import { t } from '../../locales/text.ts'

type Config = Action['config']
type Props = {
  action: Action
  errorAt: (name: string) => string | undefined
  onChange: (config: Config) => void
}

/** What an action needs to know, by its type. */
export function ActionFields(props: Props) {
  const { type, config } = props.action
  /** sets a member, or takes it away where it is empty */
  const set = (name: string, value: unknown) => {
    const { [name]: _, ...rest } = config
    const isEmpty =
      value === null ||
      value === undefined ||
      value === '' ||
      (Array.isArray(value) && !value.length)
    props.onChange(isEmpty ? rest : { ...rest, [name]: value })
  }
  const parts = { ...props, config, set }
  switch (type) {
    case 'create_task':
      return <TaskFields {...parts} />
    case 'notify':
      return <NoticeFields {...parts} />
    case 'send_email':
      return <MailFields {...parts} />
    case 'comment':
      return <CommentFields {...parts} />
    case 'add_tag':
      return <Line {...parts} name="tag" label={t('Tag')} most={255} />
    case 'update_field':
      return <ValueFields {...parts} />
    case 'webhook':
      return <Line {...parts} name="url" label={t('Address')} most={2048} />
  }
}

type Parts = Props & { config: Config; set: (name: string, value: unknown) => void }

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

type LineProps = Parts & { name: string; label: string; most: number; optional?: boolean }

function Line({ config, set, errorAt, name, label, most, optional = false }: LineProps) {
  return (
    <Field label={label} optional={optional} error={errorAt(name)}>
      <TextField
        value={text(config[name])}
        maxLength={most}
        onChange={(value) => set(name, value)}
      />
    </Field>
  )
}

function TaskFields(parts: Parts) {
  const { config, set, errorAt, onChange } = parts
  const whose = config.of_account_owner
    ? 'account'
    : config.owner !== undefined
      ? 'person'
      : 'nobody'
  return (
    <>
      <Line {...parts} name="title" label={t('What is to be done')} most={255} />
      <div className={styles.acts}>
        <Field className={results.wide} label={t('For')}>
          <Choice
            value={whose}
            options={[
              { value: 'account', label: t('the account’s owner') },
              { value: 'person', label: t('one person') },
              { value: 'nobody', label: t('nobody yet') },
            ]}
            onChange={(next) => {
              const { owner, of_account_owner: _, ...rest } = config
              const chosen = owner ?? ''
              onChange({
                ...rest,
                ...(next === 'account' ? { of_account_owner: true } : {}),
                ...(next === 'person' ? { owner: chosen } : {}),
              })
            }}
          />
        </Field>
        {whose === 'nobody' ? null : (
          <Field
            className={results.wide}
            label={whose === 'account' ? t('Otherwise') : t('Person')}
            error={errorAt('owner')}
          >
            <People
              many={false}
              label={whose === 'account' ? t('Otherwise') : t('Person')}
              placeholder={t('Nobody')}
              value={config.owner || null}
              onChange={(owner) =>
                whose === 'person'
                  ? onChange({ ...config, owner: owner ?? '' })
                  : set('owner', owner)
              }
            />
          </Field>
        )}
        <Field className={results.wide} label={t('Due in days')} error={errorAt('due_in_days')}>
          <NumberField
            integer
            min={0}
            max={3650}
            value={typeof config.due_in_days === 'number' ? config.due_in_days : null}
            onChange={(value) => set('due_in_days', value)}
          />
        </Field>
      </div>
    </>
  )
}

function CommentFields({ config, set, errorAt }: Parts) {
  return (
    <>
      <Field label={t('On [record]')}>
        <Choice
          value={config.on === 'account' ? 'account' : 'contact'}
          options={[
            { value: 'contact', label: t('the contact') },
            { value: 'account', label: t('the account') },
          ]}
          onChange={(next) => set('on', next === 'account' ? next : null)}
        />
      </Field>
      <Field
        label={t('Text')}
        hint={t('For the team, with a link to the answer')}
        error={errorAt('text')}
      >
        <TextArea
          value={text(config.text)}
          maxLength={5000}
          rows={3}
          onChange={(value) => set('text', value)}
        />
      </Field>
    </>
  )
}

function NoticeFields(parts: Parts) {
  const { config, set, errorAt } = parts
  return (
    <>
      <Switch
        apart
        checked={config.account_owner === true}
        onChange={(next) => set('account_owner', next || null)}
      >
        {t('The account’s owner')}
      </Switch>
      <Field label={t('Who')} error={errorAt('user_ids')}>
        <People
          many
          label={t('Who')}
          value={config.user_ids}
          onChange={(value) => set('user_ids', value)}
        />
      </Field>
      <Line {...parts} name="title" label={t('Title')} most={255} optional />
    </>
  )
}

function MailFields(parts: Parts) {
  const { config, set, errorAt, onChange } = parts
  const isOwn = config.to === undefined || config.to === 'respondent'
  return (
    <>
      <div className={styles.acts}>
        <Field className={results.wide} label={t('To')}>
          <Choice
            value={isOwn ? 'respondent' : 'address'}
            options={[
              { value: 'respondent', label: t('who answered') },
              { value: 'address', label: t('an address') },
            ]}
            onChange={(next) => {
              const { to: _, ...rest } = config
              onChange(next === 'address' ? { ...rest, to: '' } : rest)
            }}
          />
        </Field>
        {isOwn ? null : (
          <Field className={results.wide} label={t('Address')} error={errorAt('to')}>
            <TextField
              type="email"
              value={text(config.to)}
              maxLength={320}
              onChange={(to) => onChange({ ...config, to })}
            />
          </Field>
        )}
      </div>
      <Line {...parts} name="subject" label={t('Subject')} most={255} />
      <Field label={t('Message')} error={errorAt('message')}>
        <TextArea
          value={text(config.message)}
          maxLength={5000}
          rows={4}
          onChange={(value) => set('message', value)}
        />
      </Field>
    </>
  )
}

function ValueFields({ config, set, errorAt, onChange }: Parts) {
  const session = useSession()
  const module = config.module === 'companies' ? 'companies' : 'contacts'
  const mayRead = levelOf(session, module, 'read') !== 'none'
  const { data } = useQuery({ ...moduleQuery(module), enabled: mayRead })
  // what names other records is set where these can be chosen by name, and own fields are not set by automations
  const fields = (data?.fields ?? []).filter(
    (field) =>
      isEditable(field) &&
      field.type !== 'reference' &&
      field.look !== 'tags' &&
      !field.name.includes('.'),
  )
  const name = text(config.field)
  const field = data && name ? fieldOf(data, name) : undefined
  const problem = errorAt('value') ?? (name ? errorAt(name) : undefined)
  return (
    <div className={styles.acts}>
      <Field className={results.wide} label={t('Of')}>
        <Choice
          value={module}
          options={[
            { value: 'contacts', label: t('the contact') },
            { value: 'companies', label: t('the contact’s company') },
          ]}
          onChange={(next) => onChange(next === 'companies' ? { module: next } : {})}
        />
      </Field>
      <Field className={results.wide} label={t('Field')} error={errorAt('field')}>
        <Choice
          value={name || null}
          options={fields.map((each) => ({ value: each.name, label: each.label }))}
          onChange={(next) => {
            const { value: _, ...rest } = config
            if (next) onChange({ ...rest, field: next })
          }}
        />
      </Field>
      {field ? (
        <Field className={results.wide} label={t('Value')} error={problem}>
          <FieldEditor
            key={name}
            field={field}
            record={{ [name]: config.value }}
            onCommit={({ value }) => set('value', value)}
            onChange={({ value }) => set('value', value)}
          />
        </Field>
      ) : null}
    </div>
  )
}
