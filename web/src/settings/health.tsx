import { useMay } from '../data/session.ts'
import { SectionPage } from '../records/sections/section-page.tsx'
import { SettingGroup } from '../ui/setting.tsx'
import { NumberRow } from './rows.tsx'
import { useSettings } from './use-settings.ts'
import { WhoCan } from './who-can.tsx'
import { t } from '../locales/text.ts'

const inputs = [
  ['overdue_work', t('Overdue work'), t('Tasks of the account that are late.')],
  ['silence', t('Inactivity'), t('Days without any activity.')],
  ['nps', t('Net promoter score'), t('From −100 to 100.')],
  ['csat', t('Satisfaction'), t('Satisfied answers in percent.')],
  ['unsigned_documents', t('Unsigned documents'), t('Documents that wait for signatures.')],
  ['open_risks', t('Open risks'), t('Open tasks that are marked as a risk.')],
  [
    'sentiment',
    t('Sentiment'),
    t(
      'Of answers, comments and feedback. Rating them needs a language model, so it takes no points yet.',
    ),
  ],
] as const

/** How the health of accounts is computed. */
export default function Health() {
  const mayChange = useMay('roles', 'update')
  const of = useSettings('/api/organization/settings/health-weights/', !mayChange)
  return (
    <SectionPage
      title={t('Health')}
      about={t(
        'An account starts with 100 points; each input lowers the score by at most its points, 0 ignores it. Scores change at once, for everybody.',
      )}
    >
      {mayChange ? null : <WhoCan />}
      <SettingGroup>
        {inputs.map(([name, label, hint]) => (
          <NumberRow key={name} of={of} name={name} label={label} hint={hint} max={100} />
        ))}
      </SettingGroup>
    </SectionPage>
  )
}
