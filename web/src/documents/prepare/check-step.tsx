import { useOnline } from '../../shell/online.ts'
import { mustAct } from '../../data/signatures.ts'
import { day } from '../../records/field/format.ts'
import { useFormat } from '../../records/field/use-format.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icons.tsx'
import { ProblemBanner } from '../../ui/problem-banner.tsx'
import type { Problem } from '../../api/problem.ts'
import { Banner } from '../../ui/banner.tsx'
import styles from './prepare.module.css'
import type { Fault, Preparation, Signer } from './preparation.ts'
import { kinds, nameOf, refusalOf, turnsOf } from './preparation.ts'
import { inSentence, language, t } from '../../locales/text.ts'

type Props = {
  preparation: Preparation
  faults: Fault[]
  isBusy: boolean
  problem: Problem | undefined
  onFault: (fault: Fault) => void
  onSend: () => void
}

/** Who gets what when, in sentences, what is wrong with a link to it, and the button that sends. */
export function CheckStep({ preparation, faults, isBusy, problem, onFault, onSend }: Props) {
  const format = useFormat()
  const isOnline = useOnline()
  const { signers, expires, message, allow_delegation } = preparation
  const turns = turnsOf(signers.filter(mustAct))
  const isWrong = faults.some(({ kind }) => kind === 'error')
  return (
    <section className={styles.sheet} aria-labelledby="check">
      <h2 id="check">{t('Check and send')}</h2>
      <ol className={styles.sentences}>
        {turns.map((turn, at) => (
          <li key={turn[0]?.key}>{turnWords(sentenceOf(turn, preparation), at, turns.length)}</li>
        ))}
        {signers
          .filter((each) => !mustAct(each))
          .map(({ key, name, email, role }) => (
            <li key={key}>
              {role === 'cc'
                ? t('{person} gets a copy when all have signed.', { person: name || email })
                : t('{person} gets a link to read it.', { person: name || email })}
            </li>
          ))}
        <li>
          {expires
            ? t('It can be signed until {day}. Reminders go out every 3 days, at most 3 times.', {
                day: day(expires, format),
              })
            : t('It does not expire. Reminders go out every 3 days, at most 3 times.')}
        </li>
        {allow_delegation ? <li>{t('Each may hand over to somebody else, once.')}</li> : null}
        {message.trim() ? <li className={styles.message}>“{message.trim()}”</li> : null}
      </ol>
      {faults.length ? (
        <ul className={styles.faults}>
          {faults.map((fault) => (
            <li key={`${fault.words} ${fault.field ?? ''}`} data-kind={fault.kind}>
              <Icon name={fault.kind === 'error' ? 'circle-x' : 'warning'} />
              <button type="button" onClick={() => onFault(fault)}>
                {fault.words}
              </button>
            </li>
          ))}
        </ul>
      ) : (
        <p className={styles.ready}>
          <Icon name="circle-check" />{' '}
          {t('Ready to send. Nothing overlaps or lies outside a page.')}
        </p>
      )}
      {problem?.fields.length ? (
        <Banner kind="bad" boxed>
          {refusalOf(problem.fields, preparation)}
        </Banner>
      ) : (
        <ProblemBanner problem={problem} />
      )}
      <div>
        <Button
          variant="primary"
          size="large"
          icon="send"
          busy={isBusy}
          disabled={isWrong || !isOnline}
          onClick={onSend}
        >
          {t('Send to 1 person | Send to {count} people', { count: signers.length })}
        </Button>
        {isOnline ? null : <p>{t('Needs a connection.')}</p>}
      </div>
    </section>
  )
}

function sentenceOf(turn: Signer[], { signers, fields }: Preparation): string {
  const who = turn.map((signer) => {
    const { key, role } = signer
    const own = fields.filter(({ signer }) => signer === key)
    const what = Object.entries(kinds).flatMap(([kind, { label }]) => {
      const count = own.filter((field) => field.kind === kind).length
      return count ? [`${count} × ${inSentence(label)}`] : []
    })
    const name = nameOf(signer, signers.indexOf(signer))
    const isApproving = role === 'approver'
    if (!what.length)
      return isApproving ? t('{name} approves', { name }) : t('{name} signs', { name })
    const said = { name, fields: what.join(', ') }
    return isApproving ? t('{name} approves ({fields})', said) : t('{name} signs ({fields})', said)
  })
  return `${new Intl.ListFormat(language).format(who)}.`
}

function turnWords(sentence: string, at: number, turns: number): string {
  if (turns < 2) return sentence
  return at === 0 ? t('First {sentence}', { sentence }) : t('Then {sentence}', { sentence })
}
