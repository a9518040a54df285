import { useState } from 'react'
import { notify } from '../../data/notices.ts'
import type { Recipient } from '../../data/signatures.ts'
import {
  hasActed,
  mustAct,
  nextReminder,
  remindRecipient,
  roleVerbs,
  waitedFor,
} from '../../data/signatures.ts'
import { useSubmit } from '../../data/use-submit.ts'
import type { Format } from '../../records/field/format.ts'
import { clock, instant, relative } from '../../records/field/format.ts'
import { useFormat } from '../../records/field/use-format.ts'
import { fileSize } from '../../records/files/describe.ts'
import { Button } from '../../ui/button.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { Hidden } from '../../ui/field.tsx'
import { Icon } from '../../ui/icons.tsx'
import { ProblemBanner } from '../../ui/problem-banner.tsx'
import { Dot, toneColors } from '../../ui/status.tsx'
import type { Tone } from '../../ui/status.tsx'
import { CorrectDialog } from './correct-dialog.tsx'
import styles from './signatures.module.css'
import { t } from '../../locales/text.ts'

type Props = {
  /** the document */
  id: string
  signer: Recipient
  isOpen: boolean
  mayCorrect: boolean
}

/** A recipient: the turn or a tick, the name, the address, and the state with since when. */
export function Signer({ id, signer, isOpen, mayCorrect }: Props) {
  const format = useFormat()
  const [isCorrecting, setCorrecting] = useState(false)
  const { state, since, tone } = stateOf(signer, isOpen, format)
  return (
    <li className={styles.signer}>
      <span className={styles.turn} data-done={hasActed(signer) || undefined}>
        {hasActed(signer) ? (
          <Icon name="check" size={14} />
        ) : mustAct(signer) ? (
          <>
            <Hidden>{t('Turn')} </Hidden>
            {signer.order}
          </>
        ) : (
          <Icon name={signer.role === 'viewer' ? 'eye' : 'mail'} size={14} />
        )}
      </span>
      <Avatar name={signer.name} size={28} />
      <div className={styles.name}>
        <p>
          <b dir="auto">{signer.name}</b> {roleVerbs[signer.role]}
        </p>
        <small>{signer.email}</small>
        {signer.is_delegated ? <small>{t('It was handed over to them')}</small> : null}
        {signer.fields.map(({ file, label }) =>
          file ? <Attached key={file.id} document={id} file={file} label={label} /> : null,
        )}
      </div>
      <div className={styles.state}>
        <Dot color={toneColors[tone]} />
        <div>
          <p>{state}</p>
          {since ? <small>{since}</small> : null}
        </div>
        {mayCorrect && isOpen && !hasActed(signer) ? (
          <div className={styles.acts}>
            {waitedFor([signer]).length ? <Remind id={id} signer={signer} /> : null}
            <Button
              size="small"
              variant="quiet"
              aria-label={t('Correct {name}', { name: signer.name })}
              onClick={() => setCorrecting(true)}
            >
              {t('Correct')}
            </Button>
          </div>
        ) : null}
      </div>
      {isCorrecting ? (
        <CorrectDialog id={id} signer={signer} onClose={() => setCorrecting(false)} />
      ) : null}
    </li>
  )
}

/** A file that a recipient attached, to download. */
function Attached({
  document,
  file: { id, name, size },
  label,
}: {
  document: string
  file: NonNullable<Recipient['fields'][number]['file']>
  label: string | null
}) {
  const format = useFormat()
  const address = `/api/documents/${encodeURIComponent(document)}/signature/files/${id}/`
  return (
    <small>
      {label ? `${label}: ` : ''}
      <a href={address} download={name} dir="auto">
        {name}
      </a>{' '}
      ({fileSize(size, format.locale)})
    </small>
  )
}

/** Reminds one person, or says when that was and when it is possible again. */
function Remind({ id, signer }: Pick<Props, 'id' | 'signer'>) {
  const format = useFormat()
  const remind = useSubmit(async () => {
    await remindRecipient(id, signer.id)
    notify({ message: t('Reminded {name}', { name: signer.name }) })
  })
  const next = nextReminder(signer)
  if (next && signer.reminded_at) {
    return (
      <small>
        {t('Reminded {relative}, again from {clock}', {
          relative: relative(signer.reminded_at, format),
          clock: clock(next, format),
        })}
      </small>
    )
  }
  return (
    <>
      <Button
        size="small"
        aria-label={t('Remind {name}', { name: signer.name })}
        busy={remind.isBusy}
        onClick={remind.submit}
      >
        {t('Remind')}
      </Button>
      <ProblemBanner problem={remind.problem} />
    </>
  )
}

function stateOf(signer: Recipient, isOpen: boolean, format: Format) {
  const { status, sent_at, viewed_at, signed_at, declined_at, decline_reason } = signer
  const at = (time: string | null) => (time ? instant(time, format) : undefined)
  const said = (state: string, tone: Tone, since?: string) => ({ state, tone, since })
  switch (status) {
    case 'signed':
    case 'approved':
      return said(status === 'signed' ? t('Signed') : t('Approved'), 'good', at(signed_at))
    case 'declined':
      return said(t('Declined'), 'bad', decline_reason ? `“${decline_reason}”` : at(declined_at))
    case 'voided':
      return said(t('Withdrawn'), 'quiet')
    case 'waiting':
      return mustAct(signer) && isOpen
        ? said(t('Comes later'), 'quiet', t('is invited when it is their turn'))
        : said(mustAct(signer) ? t('Was not asked') : t('Gets it when all have signed'), 'quiet')
    default:
  }
  if (!mustAct(signer)) {
    return viewed_at
      ? said(t('Opened'), 'info', at(viewed_at))
      : said(t('Invited'), 'quiet', at(sent_at))
  }
  const asked = sent_at ? t('asked {instant}', { instant: instant(sent_at, format) }) : ''
  if (!isOpen) return said(t('Did not sign'), 'quiet', at(viewed_at ?? sent_at))
  return status === 'viewed'
    ? said(
        t('Opened, not signed'),
        'info',
        viewed_at ? t('opened {at}', { at: at(viewed_at) }) : asked,
      )
    : said(t('Not opened yet'), 'quiet', asked)
}
