import { percent } from '../field/format.ts'
import { useFormat } from '../field/use-format.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Progress } from '../../ui/progress.tsx'
import styles from './files.module.css'
import type { Sending } from './uploads.ts'
import { t } from '../../locales/text.ts'

/** A file being uploaded: how far it is, or why it was refused. */
export function UploadLine({ sending }: { sending: Sending }) {
  const { file, share, problem, cancel, retry } = sending
  const format = useFormat()
  return (
    <li className={styles.line}>
      <span className={styles.sign}>
        <Icon name={problem ? 'circle-alert' : 'upload'} />
      </span>
      <div className={styles.words}>
        <span>{file.name}</span>
        {problem ? (
          <p role="alert" className={styles.problem}>
            {problem.message}
            {problem.requestId
              ? ` ${t('(request {requestId})', { requestId: problem.requestId })}`
              : ''}
          </p>
        ) : (
          <Progress
            value={Math.round(share * 100)}
            label={t('Uploading {name}', { name: file.name })}
            text={share < 1 ? percent(Math.round(share * 100), format) : t('Storing')}
          />
        )}
      </div>
      {problem && problem.code !== 'file_too_large' ? (
        <IconButton
          size="small"
          label={t('Try {name} again', { name: file.name })}
          icon="refresh-cw"
          onClick={retry}
        />
      ) : null}
      <IconButton
        size="small"
        label={
          problem
            ? t('Dismiss {name}', { name: file.name })
            : t('Cancel {name}', { name: file.name })
        }
        icon="x"
        onClick={cancel}
      />
    </li>
  )
}
