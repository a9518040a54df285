import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { mostJoined } from '../../../../server/src/model/joining.ts'
import { joinDocuments, searchDocuments } from '../../data/documents.ts'
import { idOf, titleOf } from '../../data/record.ts'
import { useSubmit } from '../../data/use-submit.ts'
import type { ActProps } from '../../records/definition.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Combobox } from '../../ui/combobox.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import type { Option } from '../../ui/option.tsx'
import { ProblemBanner } from '../../ui/problem-banner.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { t } from '../../locales/text.ts'

/** Makes one document of this one and others, which is signed as a whole. */
export default function TogetherDialog({ module, record, onClose }: ActProps) {
  const navigate = useNavigate()
  const own = { value: idOf(module, record), label: titleOf(module, record) }
  const [parts, setParts] = useState<Option[]>([own])
  const [name, setName] = useState('')
  const { submit, isBusy, problem } = useSubmit(async () => {
    const id = await joinDocuments(
      parts.map(({ value }) => value),
      name.trim(),
    )
    onClose()
    await navigate({ to: '/documents/$id/signatures/prepare', params: { id } })
  })
  const usual = parts.map(({ label }) => label).join(' + ')
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
      title={t('Send together with others')}
      description={t(
        'Makes a document with the pages of all of them, which is signed as a whole. They stay as they are, and nothing is sent yet.',
      )}
      onSubmit={submit}
      footer={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button type="submit" variant="primary" busy={isBusy} disabled={parts.length < 2}>
            {t('Create document')}
          </Button>
        </>
      }
    >
      <ProblemBanner problem={problem} />
      {problem?.fields.length ? (
        <Banner kind="bad" boxed>
          {problem.fields
            .map(({ field, message }) => {
              const part = parts[Number(/^documents\.(\d+)/.exec(field)?.[1] ?? NaN)]
              return part ? `${part.label}: ${message}` : message
            })
            .join(', ')}
        </Banner>
      ) : null}
      <ol aria-label={t('Documents in their order')}>
        {parts.map((part, at) => (
          <li key={part.value}>
            {part.label}{' '}
            {at ? (
              <>
                <IconButton
                  size="small"
                  label={t('{name} further up', { name: part.label })}
                  icon="chevron-up"
                  onClick={() =>
                    setParts((before) => before.toSpliced(at, 1).toSpliced(at - 1, 0, part))
                  }
                />
                <IconButton
                  size="small"
                  label={t('Without {name}', { name: part.label })}
                  icon="x"
                  onClick={() => setParts((before) => before.toSpliced(at, 1))}
                />
              </>
            ) : null}
          </li>
        ))}
      </ol>
      <Field
        label={t('Add a document')}
        hint={
          parts.length < mostJoined
            ? undefined
            : t('At most {count} can be chosen', { count: mostJoined })
        }
      >
        <Combobox
          disabled={parts.length >= mostJoined}
          placeholder={t('Add a document')}
          searchLabel={t('Name of a document')}
          emptyText={t('Nothing found')}
          value={null}
          load={async (q, signal) =>
            (await searchDocuments(q, signal)).filter(
              ({ value }) => !parts.some((part) => part.value === value),
            )
          }
          onChange={(part) => {
            if (part) setParts((before) => [...before, part])
          }}
        />
      </Field>
      <Field label={t('Name')} optional>
        <TextField value={name} placeholder={usual} maxLength={255} onChange={setName} />
      </Field>
    </Dialog>
  )
}
