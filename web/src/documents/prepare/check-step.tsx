import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { saveReusable } from '../../data/documents.ts'
import { notify } from '../../data/notices.ts'
import { useMay } from '../../data/session.ts'
import { useSubmit } from '../../data/use-submit.ts'
import { later } from '../../records/later.tsx'
import { useOnline } from '../../shell/online.ts'
import { mustAct, signingPreview } from '../../data/signatures.ts'
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

const UseDialog = later(() => import('../reusable/use-dialog.tsx'), 'shown')

type Props = {
  id: string
  /** people are named when it is used */
  isReusable: boolean
  /** stores what is not stored yet */
  flush: () => Promise<unknown>
  preparation: Preparation
  faults: Fault[]
  isBusy: boolean
  problem: Problem | undefined
  onFault: (fault: Fault) => void
  onSend: () => void
}

/** Who gets what when, in sentences, what is wrong with a link to it, and the button that sends. */
export function CheckStep({
  id,
  isReusable,
  flush,
  preparation,
  faults,
  isBusy,
  problem,
  onFault,
  onSend,
}: Props) {
  const format = useFormat()
  const isOnline = useOnline()
  const { signers, expires, message, allow_delegation, check } = preparation
  const turns = turnsOf(signers.filter(mustAct))
  const navigate = useNavigate()
  const mayCreate = useMay('documents', 'create')
  const [isUsing, setUsing] = useState(false)
  const keep = useSubmit(async () => {
    await flush()
    const made = await saveReusable(id)
    notify({ message: t('Saved as reusable: whoever is to sign is named when it is used') })
    await navigate({ to: '/documents/$id/signatures/prepare', params: { id: made } })
  })
  const preview = useSubmit(async (recipient: string) => {
    // opened by the click itself, so that no browser takes it for an advertisement
    const tab = window.open('', '_blank')
    try {
      await flush()
      const url = await signingPreview(id, recipient)
      if (tab) tab.location.href = url
      else location.assign(url)
    } catch (error) {
      tab?.close()
      throw error
    }
  })
  const isWrong = faults.some(({ kind }) => kind === 'error')
  return (
    <section className={styles.sheet} aria-labelledby="check">
      <h2 id="check">{isReusable ? t('Check and use') : t('Check and send')}</h2>
      <ol className={styles.sentences}>
        {turns.map((turn, at) => (
          <li key={turn[0]?.key}>{turnWords(sentenceOf(turn, preparation), at, turns.length)}</li>
        ))}
        {signers
          .map((each, at) => ({ ...each, person: nameOf(each, at) }))
          .filter((each) => !mustAct(each))
          .map(({ key, role, person }) => (
            <li key={key}>
              {role === 'cc'
                ? t('{person} gets a copy when all have signed.', { person })
                : t('{person} gets a link to read it.', { person })}
            </li>
          ))}
        <li>
          {expires
            ? t('It can be signed until {day}. Reminders go out every 3 days, at most 3 times.', {
                day: day(expires, format),
              })
            : t('It does not expire. Reminders go out every 3 days, at most 3 times.')}
        </li>
        {check ? <li>{t('Each enters a code from their mail before the page opens.')}</li> : null}
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
          {isReusable
            ? t('Ready to use. Nothing overlaps or lies outside a page.')
            : t('Ready to send. Nothing overlaps or lies outside a page.')}
        </p>
      )}
      {preview.problem ? <ProblemBanner problem={preview.problem} /> : null}
      <div className={styles.previews} role="group" aria-label={t('Preview')}>
        {signers.map((each, at) => (
          <Button
            key={each.key}
            size="small"
            icon="eye"
            disabled={!isOnline}
            onClick={() => preview.submit(each.key)}
          >
            {t('Preview as {name}', { name: nameOf(each, at) })}
          </Button>
        ))}
      </div>
      {problem?.fields.length ? (
        <Banner kind="bad" boxed>
          {refusalOf(problem.fields, preparation)}
        </Banner>
      ) : (
        <ProblemBanner problem={problem} />
      )}
      {keep.problem ? <ProblemBanner problem={keep.problem} /> : null}
      <div className={styles.ends}>
        {isReusable ? (
          <Button
            variant="primary"
            size="large"
            disabled={isWrong || !isOnline}
            onClick={() => void flush().then(() => setUsing(true))}
          >
            {t('Use it')}
          </Button>
        ) : (
          <>
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
            {mayCreate ? (
              <Button
                variant="quiet"
                size="large"
                icon="copy"
                busy={keep.isBusy}
                disabled={!isOnline}
                onClick={keep.submit}
              >
                {t('Save as reusable')}
              </Button>
            ) : null}
          </>
        )}
        {isOnline ? null : <p>{t('Needs a connection.')}</p>}
      </div>
      {isUsing ? <UseDialog id={id} onClose={() => setUsing(false)} /> : null}
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
