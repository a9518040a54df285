import { Link } from '@tanstack/react-router'
import { addressIn } from '../../records/definition.ts'
import type { Written } from '../../data/written.ts'
import { Banner } from '../../ui/banner.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import type { ShownValue } from './node-views.ts'
import styles from './write.module.css'
import { t } from '../../locales/text.ts'

/** The values of the text, empty ones first, and where they come from. */
export function ValuesPane({
  record,
  inText,
  values,
}: {
  record: Written['record']
  inText: string[]
  values: ReadonlyMap<string, ShownValue>
}) {
  const shown = inText.flatMap((inner) => {
    const value = values.get(inner)
    return value ? [{ inner, ...value }] : []
  })
  const empty = shown.filter(({ value }) => value === null)
  const unknown = empty.filter(({ state }) => state === 'unknown')
  const count = empty.length - unknown.length
  const { account_id: account, project_id: project } = record
  return (
    <div className={styles.pane}>
      {empty.length ? (
        <Banner boxed kind="warn">
          {count ? (
            <p>{t('{count} value is empty. | {count} values are empty.', { count })}</p>
          ) : null}
          {unknown.map(({ inner }) => (
            <p key={inner}>{t('{name} is no value', { name: inner })}</p>
          ))}
        </Banner>
      ) : null}
      {account ? (
        <p>
          <Link to={addressIn({ address: '/accounts' }, String(account))}>
            {t('Open the account')}
          </Link>
        </p>
      ) : null}
      {project ? (
        <p>
          <Link to={addressIn({ address: '/projects' }, String(project))}>
            {t('Open the project')}
          </Link>
        </p>
      ) : null}
      {shown.length ? (
        <Facts>
          {[...empty, ...shown.filter(({ value }) => value !== null)].map(
            ({ inner, name, value, state }) => (
              <Fact key={inner} label={name}>
                {value ?? (state === 'unknown' ? t('No such value') : t('Empty'))}
              </Fact>
            ),
          )}
        </Facts>
      ) : (
        <p>{t('Values of the account and the project stand in the text after {{.')}</p>
      )}
      <p className={styles.quiet}>
        {t(
          'Values are looked up again when the document is published or sent, and then stay as they were.',
        )}
      </p>
    </div>
  )
}
