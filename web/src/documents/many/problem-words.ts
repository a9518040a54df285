import { t } from '../../locales/text.ts'

/** What is wrong with a line in words, by the field that it names; in the service's where there are none. */
export function problemWords({ field, message }: { field: string; message: string }): string {
  const name = field.replace(/^lines\.\d+\.?/, '')
  const value = /(?:^|\.)values\.(.+)$/.exec(name)?.[1]
  if (value) {
    return message.startsWith('is empty')
      ? t('{placeholder} is empty: say it in a column of that name.', {
          placeholder: `{{${value}}}`,
        })
      : t('{placeholder} is no placeholder.', { placeholder: `{{${value}}}` })
  }
  if (message === 'has no e-mail address') return t('There is no e-mail address.')
  if (message === 'must be an e-mail address') return t('This is no e-mail address.')
  if (message.startsWith('repeats line ')) {
    const line = Number(message.slice('repeats line '.length)) + 1
    return t('The same as line {line}.', { line })
  }
  const twice = /^asks (.+) twice$/.exec(message)?.[1]
  if (twice) return t('{email} would be asked twice.', { email: twice })
  const role = /^roles\.(.+?)(?:\.(?:email|contact_id|user_id))?$/.exec(name)?.[1]
  if (role && message.startsWith('needs somebody')) {
    return t('Nobody is named as {role}.', { role })
  }
  if (name === 'contacts' && message === 'finds nobody') return t('No contact matches.')
  if (name === 'contacts') return t('At most {most} people at once', { most: 500 })
  return `${field}: ${message}`
}
