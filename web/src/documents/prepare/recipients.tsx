import type { CSSProperties } from 'react'
import { request } from '../../api/request.ts'
import type { AnyRecord } from '../../data/record.ts'
import { useMay, useSession } from '../../data/session.ts'
import { roleVerbs } from '../../data/signatures.ts'
import { searchPeople } from '../../records/field/choices.ts'
import { capital } from '../../ui/capital.ts'
import { Button } from '../../ui/button.tsx'
import { Choice } from '../../ui/choice.tsx'
import { Combobox } from '../../ui/combobox.tsx'
import { Field } from '../../ui/field.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { NumberField } from '../../ui/number-field.tsx'
import type { Option } from '../../ui/option.tsx'
import { TextField } from '../../ui/text-field.tsx'
import styles from './prepare.module.css'
import type { Preparation, Role, Signer } from './preparation.ts'
import { hueAt, nameOf, newKey } from './preparation.ts'
import { t } from '../../locales/text.ts'

type Props = {
  signers: Signer[]
  change: (how: (before: Preparation) => Preparation) => void
  /** roles may have nobody yet */
  isReusable: boolean
}

/** Who is asked, in which turn and as what. */
export function Recipients({ signers, change, isReusable }: Props) {
  const { user } = useSession()
  const mayFindContacts = useMay('contacts', 'read')
  const add = (name: string, email: string) => change((before) => withSigner(before, name, email))
  const hasMe = signers.some(({ email }) => email.toLowerCase() === user.email.toLowerCase())
  return (
    <section className={styles.sheet} aria-labelledby="recipients">
      <h2 id="recipients">{t('Recipients')}</h2>
      <p>{t('Those with the same number are asked at the same time.')}</p>
      {isReusable ? (
        <p>{t('A role without an address gets its person when the document is used.')}</p>
      ) : null}
      <ol className={styles.people}>
        {signers.map((signer, at) => (
          <Recipient key={signer.key} {...{ signer, at, change, isReusable }} />
        ))}
      </ol>
      <div className={styles.add}>
        <Combobox
          label={t('Add a recipient')}
          placeholder={t('Add a contact, a colleague or an address')}
          searchLabel={t('Name or e-mail address')}
          emptyText={t('Nobody found: type the whole e-mail address')}
          look="person"
          value={null}
          load={(q, signal) => searchRecipients(q, signal, mayFindContacts)}
          onCreate={(typed) => add('', typed)}
          onChange={(option) => {
            if (option) add(option.label, option.description ?? '')
          }}
        />
        {isReusable ? (
          <Button
            icon="plus"
            onClick={() => change((before) => withSigner(before, '', '', t('Customer')))}
          >
            {t('Add a role')}
          </Button>
        ) : null}
        {hasMe ? null : (
          <Button icon="user" onClick={() => add(user.full_name, user.email)}>
            {t('Add me')}
          </Button>
        )}
      </div>
    </section>
  )
}

/** The preparation with somebody more, in the turn of the last one. */
export function withSigner(
  before: Preparation,
  name: string,
  email: string,
  role_name?: string,
): Preparation {
  const order = before.signers.at(-1)?.order ?? 1
  const signer: Signer = { key: newKey(), name, email, role: 'signer', order }
  const isFree = !before.signers.some((each) => each.role_name === role_name)
  const role = role_name === undefined ? {} : { role_name: isFree ? role_name : '' }
  return { ...before, signers: [...before.signers, { ...signer, ...role }] }
}

const roleOptions = Object.entries(roleVerbs).map(([value, verb]) => ({
  value,
  label: capital(verb),
}))

function Recipient({
  signer,
  at,
  change,
  isReusable,
}: { signer: Signer; at: number } & Pick<Props, 'change' | 'isReusable'>) {
  const set = (values: Partial<Signer>) =>
    change((before) => ({
      ...before,
      signers: before.signers.map((each) =>
        each.key === signer.key ? { ...each, ...values } : each,
      ),
    }))
  const remove = () =>
    change((before) => ({
      ...before,
      signers: before.signers.filter(({ key }) => key !== signer.key),
      fields: before.fields.filter((field) => field.signer !== signer.key),
    }))
  const who = nameOf(signer, at)
  return (
    <li>
      <div
        className={styles.person}
        role="group"
        aria-label={who}
        data-role={isReusable || undefined}
        style={{ '--hue': hueAt(at) } as CSSProperties}
      >
        <Field label={t('Turn')} className={styles.turn}>
          <NumberField
            integer
            min={1}
            max={50}
            value={signer.order}
            onChange={(order) => order !== null && set({ order })}
          />
        </Field>
        {isReusable ? (
          <Field label={t('Role in the document')}>
            <TextField
              value={signer.role_name ?? ''}
              maxLength={100}
              onChange={(role_name) => set({ role_name })}
            />
          </Field>
        ) : null}
        <Field
          label={t('Name')}
          hint={isReusable ? undefined : signer.role_name}
          optional={isReusable}
        >
          <TextField value={signer.name} onChange={(next) => set({ name: next })} />
        </Field>
        <Field label={t('E-mail')} required={!isReusable} optional={isReusable}>
          <TextField
            type="email"
            autoComplete="off"
            value={signer.email}
            onChange={(email) => set({ email })}
          />
        </Field>
        <Field label={t('Role')}>
          <Choice
            value={signer.role}
            options={roleOptions}
            onChange={(role) => set({ role: (role ?? 'signer') as Role })}
          />
        </Field>
        <IconButton label={t('Remove {who}', { who })} icon="trash" onClick={remove} />
      </div>
    </li>
  )
}

/** Contacts with an address, then people of the organization. */
export async function searchRecipients(
  q: string,
  signal: AbortSignal,
  mayFindContacts: boolean,
): Promise<Option[]> {
  const contacts = async () => {
    if (!mayFindContacts) return []
    const query = { page: 1, items_per_page: 12, q, fields: 'contact_id,full_name,primary_email' }
    const { data } = await request<AnyRecord[]>('GET', '/api/contact/', { query, signal })
    return data.flatMap(({ contact_id, full_name, primary_email }) =>
      typeof primary_email === 'string' && primary_email
        ? [option(`contact ${String(contact_id)}`, String(full_name), primary_email, t('Contacts'))]
        : [],
    )
  }
  const [found, people] = await Promise.all([contacts(), searchPeople(q, signal)])
  const own = people.map(({ id, name, email }) =>
    option(`user ${id}`, name, email ?? '', t('Colleagues')),
  )
  return [...found, ...own]
}

function option(value: string, label: string, description: string, group: string): Option {
  return { value, label, description, group, image: null }
}
