import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { changeRecord, notifyRefusal } from '../../data/change.ts'
import type { Module } from '../../data/modules.ts'
import { fieldOf, moduleQuery } from '../../data/modules.ts'
import type { Part, PersonInPart } from '../../data/people.ts'
import { notify } from '../../data/notices.ts'
import { peopleQuery } from '../../data/people.ts'
import { idOf, valueOf } from '../../data/record.ts'
import { useIsExternal, useMay } from '../../data/session.ts'
import type { SectionProps } from '../definition.ts'
import { relative } from '../field/format.ts'
import { isObject } from '../field/linked.ts'
import { useFormat } from '../field/use-format.ts'
import { later } from '../later.tsx'
import { ReadFault } from '../read-fault.tsx'
import { useScreensOf } from '../screens.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { Choice } from '../../ui/choice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import styles from './people.module.css'
import { t } from '../../locales/text.ts'

const NewRecord = later(() => import('../form/new-record.tsx'))

/** The parts in a sale, and the buying role that means each. */
const parts: { [part in Part]: { label: string; role: string | null } } = {
  decides: { label: t('Decides'), role: 'decision_maker' },
  champion: { label: t('Champion'), role: 'champion' },
  uses: { label: t('Uses'), role: 'end_user' },
  pays: { label: t('Pays'), role: 'economic_buyer' },
  against: { label: t('Against'), role: 'blocker' },
  unknown: { label: t('Unknown'), role: null },
}
const order = Object.keys(parts) as Part[]

/** Who at the customer has which part, how close they are, and which part nobody has. */
export default function People(props: SectionProps) {
  const mayRead = useMay('contacts', 'read')
  return useIsExternal() || !mayRead ? null : <Parts {...props} />
}

function Parts({ module, record }: SectionProps) {
  const id = idOf(module, record)
  const query = peopleQuery(module.module === 'deals' ? 'deals' : 'accounts', id)
  const { data, error, refetch } = useQuery(query)
  const { data: contacts } = useQuery(moduleQuery('contacts'))
  const mayCreate = useMay('contacts', 'create')
  const [adding, setAdding] = useState<Part>()
  const screens = useScreensOf('contacts')
  if (error && !data) {
    return (
      <ReadFault small title={t('The people could not be read')} error={error} onRetry={refetch} />
    )
  }
  if (!data || !contacts) return <Skeleton height={120} />
  return (
    <section className={styles.people} aria-label={t('People')}>
      <h2>{t('People')}</h2>
      <ul>
        {order.flatMap((part) => [
          ...data.people
            .filter((each) => each.part === part)
            .map((each) => <Person key={each.contact_id} person={each} contacts={contacts} />),
          ...(data.missing.some((each) => each === part)
            ? [
                <li key={part} className={styles.missing}>
                  <span className={styles.part}>{parts[part].label}</span>
                  <span className={styles.words}>{t('Nobody known yet')}</span>
                  {mayCreate && screens ? (
                    <Button
                      size="small"
                      variant="quiet"
                      aria-label={t('Add a person: {part}', { part: parts[part].label })}
                      onClick={() => setAdding(part)}
                    >
                      {t('Add')}
                    </Button>
                  ) : null}
                </li>,
              ]
            : []),
        ])}
      </ul>
      {adding && screens ? (
        <NewRecord
          module={contacts}
          screens={screens}
          {...begun(adding, record)}
          onClose={() => setAdding(undefined)}
          onCreated={() => setAdding(undefined)}
        />
      ) : null}
    </section>
  )
}

function Person({ person, contacts }: { person: PersonInPart; contacts: Module }) {
  const format = useFormat()
  const mayUpdate = useMay('contacts', 'update')
  const { contact_id: id, full_name: name, job_title, profile_image, part, strength } = person
  const before = person.buying_role
  const role = fieldOf(contacts, 'buying_role')
  const put = (buying_role: string | null, version?: number) =>
    changeRecord(contacts, id, { buying_role }, { version })
  const place = async (wanted: Part) => {
    const version = await put(parts[wanted].role)
    notify({
      message: `${name}: ${parts[wanted].label}`,
      undo: () => put(before, version).then(() => {}, notifyRefusal),
    })
  }
  const roles = new Set<unknown>(role?.options.map(({ value }) => value))
  // of the parts, those whose role the organization still has
  const options = order
    .filter((each) => each === part || each === 'unknown' || roles.has(parts[each].role))
    .map((value) => ({ value, label: parts[value].label }))
  return (
    <li>
      {mayUpdate && role ? (
        <Choice
          label={t('Part of {name}', { name })}
          value={part}
          options={options}
          onChange={(next) => {
            const wanted = order.find((each) => each === next)
            if (wanted && wanted !== part) void place(wanted).catch(notifyRefusal)
          }}
        />
      ) : (
        <span className={styles.part}>{parts[part].label}</span>
      )}
      <Avatar name={name} image={profile_image} size={24} />
      <span className={styles.words}>
        <Link to="/contacts/$id/{-$tab}" params={{ id }}>
          {name}
        </Link>
        <small>{job_title}</small>
      </span>
      <span
        className={styles.strength}
        role="img"
        aria-label={
          [t('No contact'), t('Little contact'), t('Some contact'), t('Much contact')][strength]
        }
        data-strength={strength}
      >
        <i />
        <i />
        <i />
      </span>
      <small className={styles.last}>
        {person.last_contact ? relative(person.last_contact, format) : t('never')}
      </small>
    </li>
  )
}

/** A new contact of the record's company, with the part. */
function begun(part: Part, record: SectionProps['record']) {
  const company = [valueOf(record, 'company'), valueOf(record, 'company_id'), record.account]
    .filter(isObject)
    .find((each) => typeof each.company_id === 'string')
  const role = { buying_role: parts[part].role }
  if (!company) return { initial: role, initialShown: role }
  return {
    initial: { ...role, company: { company_id: company.company_id } },
    initialShown: { ...role, company },
  }
}
