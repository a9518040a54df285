import { useEffect, useEffectEvent, useRef, useState, type ComponentType, type Ref } from 'react'
import { asProblem } from '../../api/problem.ts'
import type { Comment, Draft } from '../../data/comments.ts'
import { notifyRefusal } from '../../data/change.ts'
import type { Subject } from '../../data/documents.ts'
import { shareDocument } from '../../data/documents.ts'
import { useSession } from '../../data/session.ts'
import { Button } from '../../ui/button.tsx'
import { FilePicker } from '../../ui/file-picker.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Progress } from '../../ui/progress.tsx'
import { useUploads } from '../files/uploads.ts'
import { audiences, audiencesFor, isOutside } from './audience.ts'
import styles from './composer.module.css'
import type { Typed } from './drafts.ts'
import { htmlOf, isBlank, nothing, readDraft, textIn, writeDraft } from './drafts.ts'
import type { EditorProps } from './editor.tsx'
import { refusalOf } from './refusal.ts'
import { t } from '../../locales/text.ts'

/** The longest comment that the service takes, as HTML. */
const longest = 10_000

export type ComposerProps = {
  subject: Subject
  /** the comment that it answers */
  parent?: Comment
  /** the comment to change, instead of writing a new one */
  edited?: Comment
  placeholder: string
  verb: string
  focus?: boolean
  onSend: (draft: Draft) => Promise<void>
  onCancel?: () => void
  ref?: Ref<ComposerHandle>
}

export type ComposerHandle = { focus: () => void }

/** The box for writing a comment: a plain text box that becomes an editor when it gets the focus. */
export function Composer(props: ComposerProps) {
  const { subject, parent, edited, placeholder, verb, focus = false, onSend, onCancel } = props
  const session = useSession()
  const name = edited
    ? `draft ${session.user.user_id} edit ${edited.interaction_id}`
    : `draft ${session.user.user_id} ${subject.module} ${subject.id} ${parent?.interaction_id ?? ''}`
  const [typed, setTyped] = useState<Typed>(() => {
    const stored = readDraft(name)
    if (!edited || !isBlank(stored)) return stored
    const { content, mentions } = edited
    return { ...nothing, content: /<[a-z!/]/i.test(content) ? content : htmlOf(content), mentions }
  })
  /** the editor, and whether the focus was in the text box that it replaced */
  const [editor, setEditor] = useState<{ Loaded: ComponentType<EditorProps>; hadFocus: boolean }>()
  // a new editor after each sent comment
  const [round, setRound] = useState(0)
  const [error, setError] = useState<string>()
  const box = useRef<HTMLTextAreaElement>(null)
  const frame = useRef<HTMLDivElement>(null)
  const uploads = useUploads(subject, name)
  const choices = audiencesFor(session, parent)
  const audience = choices.find((each) => each === typed.audience) ?? choices[0] ?? 'team'
  const change = (next: Partial<Typed>) =>
    setTyped((before) => {
      const after = { ...before, ...next }
      writeDraft(name, after)
      return after
    })
  const load = () =>
    void import('./editor.tsx')
      .then(({ Editor }) =>
        setEditor({
          Loaded: Editor,
          hadFocus: box.current !== null && document.activeElement === box.current,
        }),
      )
      // if the editor cannot be loaded, the plain box remains
      .catch(() => {})
  const begin = useEffectEvent(() => {
    if (focus) box.current?.focus()
    // only the editor can show a draft with tags
    if (focus || typed.content) load()
  })
  useEffect(() => begin(), [])
  const { ref } = props
  useEffect(() => {
    if (!ref || typeof ref === 'function') return
    ref.current = {
      focus: () => {
        const place = frame.current?.querySelector<HTMLElement>('[role=textbox], textarea')
        place?.focus()
        place?.scrollIntoView({ block: 'nearest' })
      },
    }
  }, [ref])
  const attach = async (files: File[]) => {
    const isShared = audience === 'customer'
    for (const added of uploads.add(files, { isShared })) {
      const document = await added
      if (!document) continue
      const { attach_id, document_name } = document
      setTyped((before) => {
        const attachments = [...before.attachments, { attach_id, document_name }]
        const after = { ...before, attachments }
        writeDraft(name, after)
        return after
      })
    }
  }
  const isUploading = uploads.all.some(({ problem }) => !problem)
  const isEmpty = isBlank(typed)
  const send = () => {
    if (isEmpty || isUploading) return
    const content =
      typed.content || htmlOf(typed.attachments.map((each) => each.document_name).join(', '))
    if (content.length > longest) {
      setError(
        t(
          'This is {count} character too long. Attach it as a file. | This is {count} characters too long. Attach it as a file.',
          { count: content.length - longest },
        ),
      )
      return
    }
    setError(undefined)
    const { mentions, attachments } = typed
    const sent = typed
    // files attached before the customer was chosen as the audience are shared, too
    if (audience === 'customer' && !isOutside(session)) {
      for (const { attach_id: id } of attachments) void shareDocument(id, true).catch(notifyRefusal)
    }
    setTyped(nothing)
    setRound((before) => before + 1)
    onSend({
      content,
      mentions,
      attachments,
      is_shared: audience === 'customer',
      is_private: audience === 'private',
    }).then(
      // up to here the draft remains stored, in case the page is left
      () => setTyped((now) => (writeDraft(name, now), now)),
      (problem: unknown) => {
        setError(refusalOf(asProblem(problem), mentions))
        setTyped((now) => (isBlank(now) ? sent : now))
        setRound((before) => before + 1)
      },
    )
  }
  const leave = () => {
    if (onCancel && (edited || isEmpty)) {
      writeDraft(name, nothing)
      onCancel()
    } else if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
  }
  return (
    <div
      ref={frame}
      className={styles.composer}
      data-open={editor || !isEmpty ? '' : undefined}
      onPaste={(event) => {
        const { files: pasted, types } = event.clipboardData
        const files = [...pasted]
        // spreadsheets copy a picture of the cells together with their text
        if (!files.length || edited || types.includes('text/plain')) return
        event.preventDefault()
        void attach(files)
      }}
    >
      {editor ? (
        <editor.Loaded
          key={round}
          takesFocus={editor.hadFocus || round > 0}
          label={placeholder}
          placeholder={placeholder}
          html={typed.content}
          mentions={typed.mentions}
          onChange={(content, mentions) => change({ content, mentions })}
          onSend={send}
          onLeave={leave}
        />
      ) : (
        <textarea
          ref={box}
          className={styles.box}
          aria-label={placeholder}
          placeholder={placeholder}
          rows={1}
          value={textIn(typed.content)}
          onFocus={load}
          onChange={(event) =>
            change({ content: event.target.value ? htmlOf(event.target.value) : '' })
          }
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send()
            else if (event.key === 'Escape') leave()
          }}
        />
      )}
      {typed.attachments.length || uploads.all.length ? (
        <ul className={styles.files} aria-label={t('Attached files')}>
          {typed.attachments.map(({ attach_id: id, document_name: file }) => (
            <li key={id}>
              <Icon name="paperclip" size={14} />
              <span>{file}</span>
              <IconButton
                size="small"
                label={t('Remove {file}', { file })}
                icon="x"
                onClick={() =>
                  change({
                    attachments: typed.attachments.filter(({ attach_id }) => attach_id !== id),
                  })
                }
              />
            </li>
          ))}
          {uploads.all.map(({ key, file, share, problem, cancel }) => (
            <li key={key}>
              <Icon name="upload" size={14} />
              <span>{problem ? `${file.name}: ${problem.message}` : file.name}</span>
              {problem ? null : (
                <Progress value={share * 100} label={t('Uploading {name}', { name: file.name })} />
              )}
              <IconButton
                size="small"
                label={t('Cancel {name}', { name: file.name })}
                icon="x"
                onClick={cancel}
              />
            </li>
          ))}
        </ul>
      ) : null}
      {error ? (
        <p className={styles.error} role="alert">
          {error}
        </p>
      ) : null}
      <div className={styles.foot}>
        {edited ? null : (
          <>
            {choices.length > 1 ? (
              <Menu
                label={t('Who sees it')}
                items={[
                  {
                    kind: 'radio',
                    label: t('Who sees it'),
                    value: audience,
                    options: choices.map((value) => ({ value, ...audiences[value] })),
                    onChange: (value) => change({ audience: value as typeof audience }),
                  },
                ]}
                trigger={
                  <Button
                    className={styles.audience}
                    data-audience={audience}
                    variant="quiet"
                    size="small"
                    icon={audiences[audience].icon}
                    iconAfter="chevron-down"
                  >
                    {audiences[audience].label}
                  </Button>
                }
              />
            ) : (
              <span className={styles.seen} data-audience={audience}>
                <Icon name={audiences[audience].icon} size={14} />
                {isOutside(session)
                  ? t('Shared with {name}', { name: session.organization.name })
                  : audiences[audience].label}
              </span>
            )}
            <FilePicker
              multiple
              label={t('Attach files')}
              onFiles={(files) => void attach(files)}
              trigger={<IconButton size="small" label={t('Attach files')} icon="paperclip" />}
            />
          </>
        )}
        <span className={styles.space} />
        {onCancel ? (
          <Button
            variant="quiet"
            size="small"
            onClick={() => {
              writeDraft(name, nothing)
              onCancel()
            }}
          >
            {t('Cancel')}
          </Button>
        ) : null}
        <Button
          variant={isEmpty ? 'secondary' : 'primary'}
          size="small"
          aria-disabled={isEmpty || isUploading}
          aria-keyshortcuts="Control+Enter"
          data-tip={verb}
          data-tip-keys="Mod+Enter"
          onClick={send}
        >
          {verb}
        </Button>
      </div>
    </div>
  )
}
