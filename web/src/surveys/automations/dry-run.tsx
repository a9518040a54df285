import { day, number } from '../../records/field/format.ts'
import { useFormat } from '../../records/field/use-format.ts'
import results from '../results.module.css'
import type { Simulation } from './rule.ts'
import { effectWords, totalWords } from './rule.ts'
import styles from '../share/share.module.css'
import { t } from '../../locales/text.ts'

/** What an automation would have done with the latest answers: a sentence, and a row for each answer. */
export function DryRun({ of }: { of: Simulation | null }) {
  const format = useFormat()
  return (
    <div role="status">
      {of ? (
        <div className={styles.form}>
          <p>
            {of.answers
              ? t(
                  'With the last answer it would have {did}. Nothing was done. | With the last {count} answers it would have {did}. Nothing was done.',
                  { count: of.answers, did: totalWords(of) },
                )
              : t('There are no answers yet to try it with.')}
          </p>
          {of.effects.length ? (
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a wide table is scrolled by keys
            <div className={results.scroll} role="region" aria-label={t('Dry run')} tabIndex={0}>
              <table className={results.table}>
                <thead>
                  <tr>
                    <th scope="col">{t('Answer')}</th>
                    <th scope="col">{t('Account')}</th>
                    <th scope="col">{t('Score')}</th>
                    <th scope="col">{t('Would have happened')}</th>
                  </tr>
                </thead>
                <tbody>
                  {of.effects.map((effect) => (
                    <tr key={effect.response_id}>
                      <th scope="row">{effect.respondent ?? t('Anonymous')}</th>
                      <td>{effect.account ?? '–'}</td>
                      <td>{effect.score === null ? '–' : number(effect.score, format)}</td>
                      <td>
                        {effect.would.map((each, at) => {
                          const { words, isProblem } = effectWords(each, (date) =>
                            day(date, format),
                          )
                          return (
                            // in the order of the actions, of which two may be equal
                            <p key={at} className={isProblem ? styles.warn : undefined}>
                              {words}
                            </p>
                          )
                        })}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          ) : null}
        </div>
      ) : null}
    </div>
  )
}
