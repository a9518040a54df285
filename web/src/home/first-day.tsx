import { Link } from '@tanstack/react-router'
import type { Home } from '../data/home.ts'
import { levelOf, useSession } from '../data/session.ts'
import { ButtonLink } from '../ui/button.tsx'
import styles from './home.module.css'
import { t } from '../locales/text.ts'

/** What one starts with where nothing is assigned to one yet, by what one may do. */
export function FirstDay({ lacks }: { lacks: Home['lacks'] }) {
  const session = useSession()
  const may = (module: string, action = 'create') =>
    !session.role.is_confined && levelOf(session, module, action) !== 'none'
  const mayImport = may('contacts') && may('companies')
  const isEmpty = lacks === 'records'
  return (
    <div className={styles.first}>
      {isEmpty && mayImport ? (
        <section>
          <h2>{t('Bring your data')}</h2>
          <p>
            {t(
              'Contacts, companies, deals and tasks from a spreadsheet, another product, an address book (.vcf) or a calendar (.ics). You see what becomes of each row before anything is written, and can undo it.',
            )}
          </p>
          <div className={styles.starts}>
            <ButtonLink
              variant="primary"
              icon="upload"
              render={<Link to="/import" search={{ module: 'contacts' }} />}
            >
              {t('Import contacts')}
            </ButtonLink>
            <ButtonLink render={<Link to="/import" search={{ module: 'companies' }} />}>
              {t('Import something else')}
            </ButtonLink>
          </div>
        </section>
      ) : null}
      <section>
        <h2>{t('Nothing is assigned to you yet')}</h2>
        <p>{t('Your tasks and meetings stand here by when they are due, late ones first.')}</p>
        <div className={styles.starts}>
          {!isEmpty && mayImport ? (
            <ButtonLink
              icon="upload"
              render={<Link to="/import" search={{ module: 'companies' }} />}
            >
              {t('Import companies')}
            </ButtonLink>
          ) : null}
          {may('projects') && may('templates', 'read') ? (
            <ButtonLink icon="list-tree" render={<Link to="/templates" />}>
              {t('Create a project from a template')}
            </ButtonLink>
          ) : null}
          {may('users') ? (
            <ButtonLink
              icon="user-plus"
              render={<Link to="/settings/$section" params={{ section: 'people' }} />}
            >
              {t('Invite a colleague')}
            </ButtonLink>
          ) : null}
        </div>
      </section>
    </div>
  )
}
