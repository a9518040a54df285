import { Html, htmlText } from '../../records/html.tsx'
import { ChangedWords } from '../../ui/changed-words.tsx'
import { hunksOf } from '../../ui/hunks.ts'
import styles from './write.module.css'
import { t } from '../../locales/text.ts'

/** What is different between two texts: what is new, what is gone, and the words that changed. */
export function Compared({ before, after }: { before: string[]; after: string[] }) {
  const hunks = hunksOf(before, after)
  const count = hunks.reduce(
    (sum, { at, until, blocks }) => sum + Math.max(until - at, blocks.length),
    0,
  )
  if (!hunks.length) return <p>{t('Nothing is different.')}</p>
  const parts = hunks.flatMap(({ at, until, blocks }, number) => {
    const same = before.slice(hunks[number - 1]?.until ?? 0, at)
    return [...unchanged(same, at), <Changed key={at} old={before.slice(at, until)} now={blocks} />]
  })
  return (
    <>
      <p role="status">{t('{count} paragraph changed | {count} paragraphs changed', { count })}</p>
      <div className={styles.compared}>
        {parts}
        {unchanged(before.slice(hunks.at(-1)?.until ?? 0), before.length + 1)}
      </div>
    </>
  )
}

/** What is around a change: a block before it and one behind. */
function unchanged(blocks: string[], key: number) {
  if (!blocks.length) return []
  const shown = blocks.length > 2 ? [blocks[0] ?? '', '', blocks.at(-1) ?? ''] : blocks
  return shown.map((html, at) =>
    html ? (
      <Html key={`${key} ${at}`} html={html} isDocument />
    ) : (
      <p key={`${key} ${at}`} aria-hidden="true" className={styles.quiet}>
        …
      </p>
    ),
  )
}

function Changed({ old, now }: { old: string[]; now: string[] }) {
  const isText = (html: string) => /^<(p|h\d)[ >]/.test(html)
  if (old.length === now.length && [...old, ...now].every(isText)) {
    return old.map((html, at) => (
      <p key={at}>
        <ChangedWords before={htmlText(html)} after={htmlText(now[at] ?? '')} />
      </p>
    ))
  }
  return (
    <>
      {old.map((html, at) => (
        <del key={`- ${at}`} className={styles.gone}>
          <Html html={html} isDocument />
        </del>
      ))}
      {now.map((html, at) => (
        <ins key={`+ ${at}`} className={styles.added}>
          <Html html={html} isDocument />
        </ins>
      ))}
    </>
  )
}
