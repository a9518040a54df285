import type { RefObject } from 'react'
import { Button } from '../../ui/button.tsx'
import { saveCsv, savePicture } from './files.ts'
import styles from './report.module.css'
import { t } from '../../locales/text.ts'

type Props = {
  note: string
  /** the name of the files */
  name: string
  texts: string[][]
  /** holds the chart above, where there is one */
  drawn: RefObject<HTMLDivElement | null> | undefined
}

/** The heading of the table below a chart, which saves both as files. */
export function TableHead({ note, name, texts, drawn }: Props) {
  return (
    <div className={styles.files}>
      <h2>{t('Table')}</h2>
      <span>{note}</span>
      <Button size="small" icon="download" onClick={() => saveCsv(name, texts)}>
        {t('CSV')}
      </Button>
      {drawn ? (
        <Button
          size="small"
          icon="download"
          onClick={() => drawn.current && void savePicture(name, drawn.current)}
        >
          {t('PNG')}
        </Button>
      ) : null}
    </div>
  )
}
