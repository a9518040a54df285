import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api/client.ts'
import type { AnswerOf } from '../api/client.ts'
import { keys } from '../data/keys.ts'
import { useMay } from '../data/session.ts'
import { relative } from '../records/field/format.ts'
import { useFormat } from '../records/field/use-format.ts'
import { SectionPage } from '../records/sections/section-page.tsx'
import { Button } from '../ui/button.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { Choice } from '../ui/choice.tsx'
import { Code } from '../ui/code.tsx'
import { Empty } from '../ui/empty.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { ItemRow, SettingBody, SettingGroup } from '../ui/setting.tsx'
import { TextField } from '../ui/text-field.tsx'
import { ColorRow } from './color-row.tsx'
import { SwitchRow, TextRow } from './rows.tsx'
import styles from './settings.module.css'
import { useSaved } from './use-settings.ts'
import { WhoCan } from './who-can.tsx'
import { t } from '../locales/text.ts'

type Config = AnswerOf<'/api/widget-config', 'get'>
type Question = Config['form']['fields'][number]
/** The form's settings as one flat object, for the rows. */
type Flat = Omit<Config, 'theme' | 'form'> & Config['theme'] & Config['form']

const queryKey = keys.setting('/api/widget-config')
const flat = ({ theme, form, ...rest }: Config): Flat => ({ ...rest, ...theme, ...form })
const ofTheme = ['primary_color', 'background_color', 'text_color']

const types = [
  { value: 'text', label: t('Short text') },
  { value: 'long-text', label: t('Long text') },
  { value: 'email', label: t('E-mail') },
  { value: 'rating', label: t('Rating') },
]

/** The feedback form on the organization's own website. */
export default function FeedbackForm() {
  const mayChange = useMay('surveys', 'update')
  const { data } = useSuspenseQuery({
    queryKey,
    queryFn: async () => flat((await api.get('/api/widget-config')).data),
  })
  const of = useSaved<Flat>(
    data,
    {
      queryKey,
      async send(values) {
        const { is_active, ...rest } = values
        const parts = Object.groupBy(Object.entries(rest), ([name]) =>
          ofTheme.includes(name) ? 'theme' : 'form',
        )
        const body = {
          ...(is_active === undefined ? {} : { is_active }),
          ...(parts.theme ? { theme: Object.fromEntries(parts.theme) } : {}),
          ...(parts.form ? { form: Object.fromEntries(parts.form) } : {}),
        }
        return flat((await api.put('/api/widget-config', { body })).data)
      },
    },
    !mayChange,
  )
  const questions = data.fields
  const put = (fields: Question[], message: string) => void of.save({ fields }, message)
  const replace = (old: Question, next: Partial<Question>) =>
    put(
      questions.map((each) => (each === old ? { ...each, ...next } : each)),
      t('Questions saved'),
    )
  return (
    <SectionPage
      title={t('Feedback form')}
      about={t('A form on your own website; its answers come here.')}
    >
      {mayChange ? null : <WhoCan />}
      <SettingGroup>
        <SwitchRow
          of={of}
          name="is_active"
          label={t('Open [state]')}
          hint={t('If closed, the button is not shown.')}
        />
        <TextRow of={of} name="title" label={t('Heading')} isRequired />
        <TextRow of={of} name="submit_label" label={t('Button')} isRequired />
        <TextRow of={of} name="thanks" label={t('Thank-you message')} isRequired />
      </SettingGroup>
      <SettingGroup title={t('Questions')}>
        {questions.map((question) => (
          <ItemRow
            key={question.name}
            name={
              <QuestionText
                key={question.label}
                text={question.label}
                isReadOnly={!mayChange}
                onChange={(label) => replace(question, { label })}
              />
            }
            actions={
              <>
                <Choice
                  label={t('Kind of {label}', { label: question.label })}
                  value={question.type}
                  options={types}
                  disabled={!mayChange}
                  onChange={(type) => {
                    if (type) replace(question, { type: type as Question['type'] })
                  }}
                />
                <Checkbox
                  checked={question.required}
                  disabled={!mayChange}
                  onChange={(required) => replace(question, { required })}
                >
                  {t('Required')}
                </Checkbox>
                {mayChange ? (
                  <IconButton
                    icon="x"
                    label={t('Remove {label}', { label: question.label })}
                    disabled={questions.length === 1}
                    onClick={() =>
                      put(
                        questions.filter((each) => each !== question),
                        t('{label} removed', { label: question.label }),
                      )
                    }
                  />
                ) : null}
              </>
            }
          />
        ))}
        {mayChange ? (
          <SettingBody>
            <div className={styles.line}>
              <Button
                icon="plus"
                onClick={() => put([...questions, added(questions)], t('Question added'))}
              >
                {t('Add question')}
              </Button>
            </div>
          </SettingBody>
        ) : null}
      </SettingGroup>
      <SettingGroup
        title={t('Look')}
        hint={t('The original colors follow those of the organization.')}
      >
        <ColorRow
          of={of}
          name="primary_color"
          label={t('Button color')}
          hint={t('Of the button.')}
        />
        <ColorRow
          of={of}
          name="background_color"
          label={t('Background')}
          hint={t('Behind the questions.')}
        />
        <ColorRow of={of} name="text_color" label={t('Text')} hint={t('Of the questions.')} />
      </SettingGroup>
      {data.key ? (
        <SettingGroup
          title={t('On your website')}
          hint={t('Put this line before the end of each page.')}
        >
          <SettingBody>
            <Code
              code={`<script src="${location.origin}/widget.js" data-key="${data.key}" async></script>`}
              label={t('Copy the line')}
              wrap
            />
          </SettingBody>
        </SettingGroup>
      ) : null}
      <Answers />
    </SectionPage>
  )
}

/** The text of a question; saved when the field is left, or by Enter. */
function QuestionText({
  text,
  isReadOnly,
  onChange,
}: {
  text: string
  isReadOnly: boolean
  onChange: (text: string) => void
}) {
  const [typed, setTyped] = useState(text)
  const leave = () => {
    if (!typed.trim()) setTyped(text)
    else if (typed.trim() !== text) onChange(typed.trim())
  }
  return (
    <TextField
      label={t('Question: {text}', { text })}
      value={typed}
      onChange={setTyped}
      disabled={isReadOnly}
      onBlur={leave}
      onKeyDown={({ key }) => {
        if (key === 'Enter') leave()
        if (key === 'Escape') setTyped(text)
      }}
    />
  )
}

/** The newest answers. */
function Answers() {
  const format = useFormat()
  const { data = [] } = useQuery({
    queryKey: keys.setting('/api/widget-responses/'),
    queryFn: async () =>
      (await api.get('/api/widget-responses/', { query: { page: 1, items_per_page: 20 } })).data,
  })
  return (
    <SettingGroup title={t('Newest answers')}>
      {data.map(({ response_id: id, answers, email, creation_time: at }) => (
        <ItemRow key={id} name={email ?? t('Somebody')} actions={relative(at, format)}>
          {Object.entries(answers)
            .filter(([name]) => name !== 'email')
            .map(([, answer]) => String(answer))
            .join(' · ')}
        </ItemRow>
      ))}
      {data.length ? null : (
        <Empty small icon="message-square" title={t('No answers yet')}>
          {t('Answers from visitors of your website appear here.')}
        </Empty>
      )}
    </SettingGroup>
  )
}

/** A question with a name that no other has. */
function added(questions: Question[]): Question {
  const taken = new Set(questions.map(({ name }) => name))
  let number = questions.length + 1
  while (taken.has(`question_${number}`)) number++
  return {
    name: `question_${number}`,
    label: t('Question {number}', { number }),
    type: 'text',
    required: false,
  }
}
