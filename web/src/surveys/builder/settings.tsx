import { notifyRefusal } from '../../data/change.ts'
import { notify } from '../../data/notices.ts'
import { Choice } from '../../records/later-controls.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { NumberField } from '../../ui/number-field.tsx'
import { Switch } from '../../ui/switch.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { KindSign } from '../kind-sign.tsx'
import { kinds } from '../kinds.ts'
import { typeWords } from '../structure.ts'
import { Choices } from './choices.tsx'
import { Conditions } from './conditions.tsx'
import { ColorField } from './color-field.tsx'
import type { Draft, Ending, Question, QuestionPage } from './draft.ts'
import {
  hasOptions,
  hasRows,
  isAddress,
  isScale,
  numbersOf,
  questionsOf,
  shownText,
  storedText,
} from './draft.ts'
import { InsertValue, OfKind } from './of-kind.tsx'
import type { Acts } from './use-acts.ts'
import styles from './builder.module.css'
import { t } from '../../locales/text.ts'

type Props = { acts: Acts; draft: Draft }

/** The settings of what is selected: a question, a page, an ending, or the texts of the survey. */
export function Settings({ acts, draft }: Props) {
  const question = questionsOf(draft).find(({ id }) => id === acts.selected)
  const page = draft.pages.find(({ id }) => id === acts.selected)
  const ending = draft.endings.find(({ id }) => id === acts.selected)
  return (
    <aside className={styles.settings} aria-label={t('Settings')}>
      {question ? (
        <OfQuestion key={question.id} {...{ acts, draft, question }} />
      ) : page ? (
        <OfPage key={page.id} acts={acts} draft={draft} page={page} />
      ) : ending ? (
        <OfEnding key={ending.id} acts={acts} draft={draft} ending={ending} />
      ) : acts.selected === 'closing' ? (
        <OfClosing acts={acts} draft={draft} />
      ) : (
        <OfSurvey acts={acts} draft={draft} />
      )}
    </aside>
  )
}

type QuestionProps = { acts: Acts; draft: Draft; question: Question }

function OfQuestion({ acts, draft, question }: QuestionProps) {
  const { id, type, label, required = false, description, placeholder } = question
  const set = (values: Partial<Question>) => acts.set(id, values)
  const numbers = numbersOf(draft)
  return (
    <>
      <div className={styles.settingsHead}>
        <KindSign type={type} />
        <h2>{typeWords(type)}</h2>
        <IconButton
          label={t('Duplicate')}
          icon="copy"
          shortcut="Mod+D"
          onClick={() => acts.duplicate(id)}
        />
        <IconButton
          label={t('Copy for another survey')}
          icon="clipboard"
          onClick={() => {
            const text = acts.copied(id) ?? ''
            void navigator.clipboard
              .writeText(text)
              .then(
                () => notify({ message: t('Copied: paste it here or in another survey') }),
                notifyRefusal,
              )
          }}
        />
        <IconButton label={t('Delete')} icon="trash" onClick={() => acts.remove(id)} />
      </div>
      <Field label={type === 'statement' ? t('Text') : t('Question')}>
        <TextArea
          value={shownText(label, numbers)}
          onChange={(next) => set({ label: storedText(next, numbers) })}
          maxLength={1000}
          rows={2}
          data-first=""
        />
      </Field>
      <InsertValue
        draft={draft}
        before={id}
        onInsert={(value) =>
          set({ label: `${label}${label && !/\s$/.test(label) ? ' ' : ''}${value}` })
        }
      />
      <Field label={t('Kind')}>
        <Choice
          value={type}
          onChange={(next) => next && acts.setKind(question, next)}
          options={kinds.flatMap((kind) =>
            kind.of.map((each) => ({ value: each, label: typeWords(each), group: kind.label })),
          )}
        />
      </Field>
      <Field label={t('Help below it')}>
        <TextField
          value={shownText(description ?? '', numbers)}
          onChange={(next) => set({ description: storedText(next, numbers) || null })}
          placeholder={t('None')}
          maxLength={1000}
        />
      </Field>
      {placeholder ? (
        <Field label={t('Grey text in the field')}>
          <TextField value={placeholder} onChange={(next) => set({ placeholder: next || null })} />
        </Field>
      ) : null}
      {type === 'statement' || type === 'calculated' ? null : (
        <Switch apart checked={required} onChange={(next) => set({ required: next })}>
          {t('Must be answered')}
        </Switch>
      )}
      {hasRows(type) ? (
        <Choices
          label={t('Rows')}
          add={t('Add row')}
          of={question.rows ?? []}
          onChange={(rows) => set({ rows })}
        />
      ) : null}
      {hasOptions(type) ? (
        <Choices
          label={type === 'matrix' ? t('Columns') : t('Choices')}
          add={type === 'matrix' ? t('Add column') : t('Add choice')}
          of={question.options ?? []}
          onChange={(options) => set({ options })}
        />
      ) : null}
      <OfKind draft={draft} question={question} set={set} />
      {isScale(type) || type === 'rating-matrix' ? <Scale question={question} set={set} /> : null}
      <Conditions acts={acts} draft={draft} of={question} />
      <div className={styles.moves}>
        <Button icon="arrow-up" onClick={() => acts.move(id, 'up')}>
          {t('Move up')}
        </Button>
        <Button icon="arrow-down" onClick={() => acts.move(id, 'down')}>
          {t('Move down')}
        </Button>
      </div>
    </>
  )
}

function Scale({
  question: { type, maxRating, minLabel, maxLabel },
  set,
}: {
  question: Question
  set: (values: Partial<Question>) => void
}) {
  return (
    <>
      {type === 'nps' ? null : (
        <Field label={t('Highest number')}>
          <NumberField
            integer
            min={2}
            max={20}
            value={maxRating ?? (type === 'ces' ? 7 : 5)}
            onChange={(next) => {
              if (next !== null && next >= 2 && next <= 20) set({ maxRating: next })
            }}
          />
        </Field>
      )}
      <Field label={t('Words at the low end')}>
        <TextField
          value={minLabel ?? ''}
          onChange={(next) => set({ minLabel: next || null })}
          placeholder={t('The usual ones')}
          maxLength={200}
        />
      </Field>
      <Field label={t('Words at the high end')}>
        <TextField
          value={maxLabel ?? ''}
          onChange={(next) => set({ maxLabel: next || null })}
          placeholder={t('The usual ones')}
          maxLength={200}
        />
      </Field>
    </>
  )
}

function OfPage({ acts, draft, page }: { acts: Acts; draft: Draft; page: QuestionPage }) {
  const numbers = numbersOf(draft)
  return (
    <>
      <div className={styles.settingsHead}>
        <h2>{t('Page')}</h2>
        <IconButton label={t('Delete page')} icon="trash" onClick={() => acts.remove(page.id)} />
      </div>
      <Field label={t('Heading')}>
        <TextField
          value={shownText(page.title, numbers)}
          onChange={(next) => acts.setPage(page.id, { title: storedText(next, numbers) })}
          placeholder={t('None')}
          maxLength={1000}
          data-first=""
        />
      </Field>
      <Switch
        apart
        checked={page.random_order ?? false}
        onChange={(random_order) => acts.setPage(page.id, { random_order })}
      >
        {t('Changes places with pages next to it that do, too')}
      </Switch>
      <Conditions acts={acts} draft={draft} of={page} />
    </>
  )
}

/** An ending by condition: its texts, where it leads, and when it is shown. */
function OfEnding({ acts, draft, ending }: { acts: Acts; draft: Draft; ending: Ending }) {
  const { id } = ending
  const at = draft.endings.indexOf(ending) + 1
  return (
    <>
      <div className={styles.settingsHead}>
        <h2>{t('Ending {at}', { at })}</h2>
        <IconButton
          label={t('Duplicate')}
          icon="copy"
          shortcut="Mod+D"
          onClick={() => acts.duplicate(id)}
        />
        <IconButton label={t('Delete')} icon="trash" onClick={() => acts.remove(id)} />
      </div>
      <EndingTexts draft={draft} of={ending} set={(values) => acts.setEnding(id, values)} />
      <Conditions acts={acts} draft={draft} of={ending} />
      <div className={styles.moves}>
        <Button icon="arrow-up" disabled={at === 1} onClick={() => acts.move(id, 'up')}>
          {t('Move up')}
        </Button>
        <Button
          icon="arrow-down"
          disabled={at === draft.endings.length}
          onClick={() => acts.move(id, 'down')}
        >
          {t('Move down')}
        </Button>
      </div>
    </>
  )
}

/** The last ending, which is shown where no other is. */
function OfClosing({ acts, draft }: Props) {
  const { closing_title, closing_text, closing_button, closing_url } = draft.texts
  return (
    <>
      <div className={styles.settingsHead}>
        <h2>{t('Last ending')}</h2>
      </div>
      <p className={styles.note}>{t('It is shown where the conditions of no other hold.')}</p>
      <EndingTexts
        draft={draft}
        of={{ title: closing_title, text: closing_text, button: closing_button, url: closing_url }}
        set={({ title, text, button, url }) =>
          acts.setText({
            ...(title === undefined ? {} : { closing_title: title || null }),
            ...(text === undefined ? {} : { closing_text: text || null }),
            ...(button === undefined ? {} : { closing_button: button }),
            ...(url === undefined ? {} : { closing_url: url }),
          })
        }
      />
    </>
  )
}

type EndingOf = { title: string | null; text: string | null } & Pick<Ending, 'button' | 'url'>

function EndingTexts({
  draft,
  of: { title, text, button, url },
  set,
}: {
  draft: Draft
  of: EndingOf
  set: (values: Partial<Omit<Ending, 'id'>>) => void
}) {
  const numbers = numbersOf(draft)
  const said = text ?? ''
  return (
    <>
      <Field label={t('Heading')}>
        <TextField
          value={shownText(title ?? '', numbers)}
          onChange={(next) => set({ title: storedText(next, numbers) })}
          placeholder={t('Thank you')}
          maxLength={255}
          data-first=""
        />
      </Field>
      <Field label={t('Text')}>
        <TextArea
          value={shownText(said, numbers)}
          onChange={(next) => set({ text: storedText(next, numbers) })}
          maxLength={2000}
          rows={3}
        />
      </Field>
      <InsertValue
        draft={draft}
        before=""
        onInsert={(value) =>
          set({ text: `${said}${said && !/\s$/.test(said) ? ' ' : ''}${value}` })
        }
      />
      <Field
        label={t('Leads on to')}
        hint={t('A web address, shown as a link below the text')}
        error={
          isAddress(url) ? undefined : t('Must be a whole web address, as https://example.com')
        }
      >
        <TextField
          value={url ?? ''}
          onChange={(next) => set({ url: next.trim() || null })}
          placeholder={t('None')}
          maxLength={2048}
        />
      </Field>
      {url ? (
        <Field label={t('Words of the link')}>
          <TextField
            value={shownText(button ?? '', numbers)}
            onChange={(next) => set({ button: storedText(next, numbers) || null })}
            placeholder={t('Continue')}
            maxLength={100}
          />
        </Field>
      ) : null}
    </>
  )
}

function OfSurvey({ acts, draft: { texts } }: { acts: Acts; draft: Draft }) {
  return (
    <>
      <div className={styles.settingsHead}>
        <h2>{t('Survey')}</h2>
      </div>
      <Field label={t('Name')} error={texts.name.trim() ? undefined : t('A survey needs a name')}>
        <TextField
          value={texts.name}
          onChange={(name) => acts.setText({ name })}
          maxLength={255}
          data-first=""
        />
      </Field>
      <Field label={t('Introduction')} hint={t('Above the first question')}>
        <TextArea
          value={texts.description ?? ''}
          onChange={(next) => acts.setText({ description: next || null })}
          rows={3}
        />
      </Field>
      <ColorField
        label={t('Background')}
        value={texts.background_color}
        onChange={(background_color) => acts.setText({ background_color })}
      />
      <ColorField
        label={t('Color of the buttons')}
        value={texts.action_color}
        onChange={(action_color) => acts.setText({ action_color })}
      />
    </>
  )
}
