import { useQuery } from '@tanstack/react-query'
import type { KeyboardEvent, ReactNode } from 'react'
import { useState } from 'react'
import { foldersQuery } from '../../data/folders.ts'
import type { Clause, Condition } from '../../data/list.ts'
import { countWords } from '../../data/session.ts'
import type { BesideRowsProps } from '../../records/definition.ts'
import { ReadFault } from '../../records/read-fault.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { Choice } from '../../ui/choice.tsx'
import { Icon } from '../../ui/icons.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { useWithoutRail } from '../../ui/use-narrow.ts'
import { usePaused } from '../../ui/use-paused.ts'
import { folders, inFolder, keyOf } from './folder.ts'
import styles from './folders.module.css'
import { t } from '../../locales/text.ts'

/** From so many accounts on, the tree has a search. */
const searchedFrom = 8
/** The most accounts that the tree shows. */
const most = 500

type Entry = { conditions: Condition[]; label: string; count: number }

/** The folders of the documents: a tree beside the list, and where there is no room for it a field above. */
export default function Folders({ filter, onChange }: BesideRowsProps) {
  const [text, setText] = useState('')
  const [isWhole, setWhole] = useState(false)
  const [opened, setOpened] = useState<{ [account: string]: boolean }>({})
  const q = usePaused(text.trim(), 200)
  const isSmall = useWithoutRail()
  const { data, error, refetch } = useQuery(
    foldersQuery({ ...(q ? { q } : {}), ...(isWhole || isSmall ? { limit: most } : {}) }),
  )
  const now = keyOf(filter)
  const go = (conditions: Condition[]) => onChange(inFolder(filter, conditions))
  if (error && !data) {
    return (
      <div className={isSmall ? styles.above : styles.tree}>
        <ReadFault title={t('The folders could not be read')} error={error} onRetry={refetch} />
      </div>
    )
  }
  if (isSmall) return <FolderField data={data} now={now} onChange={go} />
  const entry = ({ conditions, label, count }: Entry, icon: ReactNode) => (
    <button
      type="button"
      className={styles.folder}
      data-folder
      aria-current={keyOf(conditions) === now ? 'page' : undefined}
      onClick={() => go(conditions)}
    >
      {icon}
      <span className={styles.name}>{label}</span>
      <span className={styles.count}>{countWords(count)}</span>
    </button>
  )
  const more = data ? data.accounts_total - data.accounts.length : 0
  return (
    <nav className={styles.tree} aria-label={t('Folders')} onKeyDown={onKey}>
      {data ? (
        <>
          <ul>
            <li>
              {entry(
                { conditions: folders.all(), label: t('All documents'), count: data.total },
                <Icon name="files" />,
              )}
            </li>
            <li>
              {entry(
                { conditions: folders.mine(), label: t('Mine'), count: data.mine },
                <Icon name="user" />,
              )}
            </li>
            <li>
              {entry(
                {
                  conditions: folders.favourites(),
                  label: t('Favorites'),
                  count: data.favourites,
                },
                <Icon name="star" />,
              )}
            </li>
          </ul>
          {data.accounts.length || text ? <h2>{t('By account')}</h2> : null}
          {data.accounts_total >= searchedFrom || text ? (
            <div className={styles.search}>
              <TextField
                type="search"
                icon="search"
                label={t('Search accounts')}
                placeholder={t('Search accounts')}
                value={text}
                onChange={setText}
              />
            </div>
          ) : null}
          {text && !data.accounts.length ? (
            <p className={styles.none}>{t('No account matches')}</p>
          ) : null}
          <ul>
            {data.accounts.map((account) => {
              const { account_id: id, account_name: name } = account
              const parts = [
                ...account.folders.map(({ folder, count }) => ({
                  key: `folder ${folder}`,
                  icon: 'folder' as const,
                  entry: { conditions: folders.ofAccount(id, folder), label: folder, count },
                })),
                ...account.projects.map(({ project_id, project_name, count }) => ({
                  key: project_id,
                  icon: 'folder-kanban' as const,
                  entry: {
                    conditions: folders.project(id, project_id),
                    label: project_name,
                    count,
                  },
                })),
              ]
              const isIn = parts.some((part) => keyOf(part.entry.conditions) === now)
              const isOpen = opened[id] ?? (isIn || keyOf(folders.account(id)) === now)
              return (
                <li key={id}>
                  <div className={styles.account}>
                    {parts.length ? (
                      <button
                        type="button"
                        className={styles.opener}
                        data-opener
                        aria-expanded={isOpen}
                        aria-label={t('Folders of {name}', { name })}
                        onClick={() => setOpened({ ...opened, [id]: !isOpen })}
                      >
                        <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} size={14} />
                      </button>
                    ) : null}
                    {entry(
                      { conditions: folders.account(id), label: name, count: account.count },
                      <Avatar name={name} square size={18} />,
                    )}
                  </div>
                  {isOpen && parts.length ? (
                    <ul className={styles.parts}>
                      {parts.map((part) => (
                        <li key={part.key}>{entry(part.entry, <Icon name={part.icon} />)}</li>
                      ))}
                    </ul>
                  ) : null}
                </li>
              )
            })}
            {more > 0 && data.accounts.length < most ? (
              <li>
                <button
                  type="button"
                  className={styles.folder}
                  data-folder
                  onClick={() => setWhole(true)}
                >
                  <Icon name="more" />
                  <span className={styles.name}>
                    {t('{count} more account | {count} more accounts', { count: more })}
                  </span>
                </button>
              </li>
            ) : null}
          </ul>
          {data.inside.count ? (
            <>
              <h2>{t('Inside')}</h2>
              <ul>
                <li>
                  {entry(
                    {
                      conditions: folders.inside(),
                      label: t('Of no account'),
                      count: data.inside.count,
                    },
                    <Icon name="building" />,
                  )}
                </li>
                {data.inside.folders.map(({ folder, count }) => (
                  <li key={folder}>
                    {entry(
                      { conditions: folders.ofInside(folder), label: folder, count },
                      <Icon name="folder" />,
                    )}
                  </li>
                ))}
              </ul>
            </>
          ) : null}
        </>
      ) : (
        <div aria-hidden="true" className={styles.skeleton}>
          {[0, 1, 2, 3, 4, 5].map((each) => (
            <span key={each} />
          ))}
        </div>
      )}
    </nav>
  )
}

type Data = Awaited<ReturnType<NonNullable<ReturnType<typeof foldersQuery>['queryFn']>>>

/** The same as a field with a search. */
function FolderField({
  data,
  now,
  onChange,
}: {
  data: Data | undefined
  now: string
  onChange: (conditions: Condition[]) => void
}) {
  const option = (conditions: Condition[], label: string, count: number) => ({
    conditions,
    value: keyOf(conditions as Clause[]),
    label,
    description: countWords(count),
  })
  const options = data
    ? [
        option(folders.all(), t('All documents'), data.total),
        option(folders.mine(), t('Mine'), data.mine),
        option(folders.favourites(), t('Favorites'), data.favourites),
        ...data.accounts.flatMap(({ account_id: id, account_name: name, ...of }) => [
          option(folders.account(id), name, of.count),
          ...of.folders.map(({ folder, count }) =>
            option(folders.ofAccount(id, folder), `${name} / ${folder}`, count),
          ),
          ...of.projects.map(({ project_id, project_name, count }) =>
            option(folders.project(id, project_id), `${name} / ${project_name}`, count),
          ),
        ]),
        ...(data.inside.count
          ? [
              option(folders.inside(), t('Of no account'), data.inside.count),
              ...data.inside.folders.map(({ folder, count }) =>
                option(folders.ofInside(folder), folder, count),
              ),
            ]
          : []),
      ]
    : []
  return (
    <div className={styles.above}>
      <Choice
        label={t('Folder')}
        disabled={!data}
        placeholder={data ? t('Another selection') : t('Folder')}
        options={options}
        value={options.some(({ value }) => value === now) ? now : null}
        onChange={(value) => {
          const chosen = options.find((each) => each.value === value)
          if (chosen) onChange(chosen.conditions)
        }}
      />
    </div>
  )
}

/** The arrows: up and down go through what is shown, right and left open and close an account. */
function onKey(event: KeyboardEvent<HTMLElement>): void {
  const from = (event.target as HTMLElement).closest<HTMLElement>('[data-folder], [data-opener]')
  if (!from || event.altKey || event.ctrlKey || event.metaKey) return
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-folder]')]
  const row = from.closest('li')
  const opener = row?.querySelector<HTMLElement>(':scope > div > [data-opener]')
  const at = all.findIndex((each) => each === from || from.nextElementSibling === each)
  const isOpen = opener?.getAttribute('aria-expanded') === 'true'
  if (event.key === 'ArrowDown') all[at + 1]?.focus()
  else if (event.key === 'ArrowUp') all[at - 1]?.focus()
  else if (event.key === 'Home') all[0]?.focus()
  else if (event.key === 'End') all.at(-1)?.focus()
  else if (event.key === 'ArrowRight' && opener && !isOpen) opener.click()
  else if (event.key === 'ArrowLeft' && opener && isOpen) opener.click()
  else if (event.key === 'ArrowLeft' && !opener) {
    // from a folder to its account
    const above = row?.parentElement?.closest('li')
    above?.querySelector<HTMLElement>('[data-folder]')?.focus()
  } else return
  event.preventDefault()
  event.stopPropagation()
}
