import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { notifyRefusal } from '../../data/change.ts'
import type { DocumentRow } from '../../data/documents.ts'
import { deleteDocument, documentsQuery, fileAddress, shareDocument } from '../../data/documents.ts'
import type { Module } from '../../data/modules.ts'
import { useMay, useSession } from '../../data/session.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ReadFault } from '../read-fault.tsx'
import { FilePicker } from '../../ui/file-picker.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Icon, type IconName } from '../../ui/icons.tsx'
import { Menu, type MenuItem } from '../../ui/menu.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Status } from '../../ui/status.tsx'
import { isOutside } from '../comments/audience.ts'
import { instant, relative } from '../field/format.ts'
import { useFormat } from '../field/use-format.ts'
import { fileSize, kindOf } from './describe.ts'
import styles from './files.module.css'
import { UploadLine } from './upload-line.tsx'
import { useUploads } from './uploads.ts'
import { t } from '../../locales/text.ts'

/** The documents of a record; files that are dropped anywhere on its page are added. */
export function Files({ module, id }: { module: Module; id: string }) {
  const subject = { module: module.module, id }
  const { data, error, isPending, refetch } = useQuery(documentsQuery(subject))
  const mayAdd = useMay('documents', 'create')
  const uploads = useUploads(subject)
  if (error && !data) {
    return (
      <ReadFault small title={t('The files could not be read')} error={error} onRetry={refetch} />
    )
  }
  const choose = mayAdd ? (
    <FilePicker multiple label={t('Add files')} onFiles={(files) => void uploads.add(files)} />
  ) : null
  return (
    <div className={styles.files}>
      {data?.length || uploads.all.length ? (
        <div className={styles.tools}>
          {choose}
          {mayAdd ? <span>{t('or drop them anywhere on this page, up to 50 MB each')}</span> : null}
        </div>
      ) : null}
      <ul className={styles.list}>
        {uploads.all.map((each) => (
          <UploadLine key={each.key} sending={each} />
        ))}
        {data?.map((document) => (
          <Line key={document.attach_id} subject={subject} document={document} />
        ))}
      </ul>
      {isPending ? <SkeletonRows count={3} /> : null}
      {data && !data.length && !uploads.all.length ? (
        <Empty small icon="files" title={t('No files yet')} action={choose}>
          {t(
            'Contracts, plans and notes about this {one} belong here. Drop them anywhere on the page.',
            { one: module.word.one },
          )}
        </Empty>
      ) : null}
    </div>
  )
}

type LineProps = { subject: { module: string; id: string }; document: DocumentRow }

function Line({ subject, document }: LineProps) {
  const session = useSession()
  const format = useFormat()
  const mayUpdate = useMay('documents', 'update')
  const mayDelete = useMay('documents', 'delete')
  const { attach_id: id, document_name: name, created_by: author, creation_time: at } = document
  const hasFile = document.file_name !== null
  const isStaff = !isOutside(session)
  const facts = [
    document.version > 1 ? t('Version {version}', { version: document.version }) : null,
    document.file_size === null ? null : fileSize(document.file_size, format.locale),
    document.document_status === 'draft' ? t('Draft') : null,
    isStaff && document.is_shared ? t('Shared with the customer') : null,
  ].filter((each) => each !== null)
  const signing = signed(document)
  const items: MenuItem[] = [
    ...(hasFile
      ? [
          {
            kind: 'link',
            label: t('Open'),
            icon: 'eye',
            href: `/documents/${id}/view`,
            render: <Link to={`/documents/${id}/view` as never} />,
          } as const,
          {
            kind: 'link',
            label: t('Download'),
            icon: 'download',
            href: fileAddress(id, true),
          } as const,
        ]
      : []),
    ...(isStaff && mayUpdate && document.can?.update !== false
      ? [
          {
            label: document.is_shared ? t('Stop sharing') : t('Share with the customer'),
            icon: document.is_shared ? 'lock' : 'globe',
            onSelect: () => void shareDocument(id, !document.is_shared).catch(notifyRefusal),
          } as const,
        ]
      : []),
    ...(mayDelete && document.can?.delete !== false
      ? [
          { kind: 'separator' } as const,
          {
            label: t('Delete'),
            icon: 'trash',
            danger: true,
            onSelect: () => void deleteDocument(subject, document).catch(notifyRefusal),
          } as const,
        ]
      : []),
  ]
  return (
    <li className={styles.line}>
      <span className={styles.sign}>
        <Icon name={icons[kindOf(document)]} />
      </span>
      <div className={styles.words}>
        {hasFile ? (
          <Link to="/documents/$id/view" params={{ id }}>
            {name}
          </Link>
        ) : (
          <Link to="/documents/$id/{-$tab}" params={{ id }}>
            {name}
          </Link>
        )}
        <p>
          {facts.map((fact) => (
            <span key={fact}>{fact}</span>
          ))}
          <time dateTime={at} title={instant(at, format)}>
            {author ? `${author.full_name}, ` : ''}
            {relative(at, format)}
          </time>
          {signing ? <Status color={signing.color}>{signing.label}</Status> : null}
        </p>
      </div>
      {hasFile ? (
        <ButtonLink
          variant="quiet"
          size="small"
          icon="download"
          href={fileAddress(id, true)}
          aria-label={t('Download {name}', { name })}
          className={styles.download}
        />
      ) : null}
      {items.length ? (
        <Menu
          align="end"
          items={items}
          trigger={<IconButton size="small" label={t('More about {name}', { name })} icon="more" />}
        />
      ) : null}
    </li>
  )
}

const icons: { [kind in ReturnType<typeof kindOf>]: IconName } = {
  image: 'image',
  text: 'file-text',
  table: 'table',
  file: 'file',
}

/** The progress of its signatures; undefined if none are requested. */
function signed(document: DocumentRow): { label: string; color: string } | undefined {
  const { signatures_completed: done, signatures_required: all } = document
  switch (document.signature_status) {
    case 'pending':
      return { label: t('Waits for signatures'), color: '#8a5a00' }
    case 'partial':
      return { label: t('{done} of {all} signed', { done, all }), color: '#8a5a00' }
    case 'signed':
      return { label: t('Signed'), color: '#14704c' }
    case 'declined':
      return { label: t('Signature declined'), color: '#a3231d' }
    default:
      return undefined
  }
}
