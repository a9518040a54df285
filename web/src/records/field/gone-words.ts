import type { Module } from '../../data/modules.ts'
import { t } from '../../locales/text.ts'

/** Says that a record which is still shown cannot be read any more. */
export const goneWords = ({ word }: Module): string =>
  t('This {one} is not here any more: it was deleted, or is hidden from you now.', {
    one: word.one,
  })
