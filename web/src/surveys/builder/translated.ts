import type { Translated } from '../../../../server/src/model/forms/translations.ts'
import { missingIn, withTexts } from '../../../../server/src/model/forms/translations.ts'
import { languages } from '../starts.ts'
import type { Draft, Ending, QuestionPage, Texts } from './draft.ts'
import { t } from '../../locales/text.ts'

/** A draft as the texts of a survey. */
export const asSurvey = ({ pages, endings, texts }: Draft) =>
  ({ pages, endings, ...texts }) as unknown as Translated

/** A draft with translations of some texts, by their keys. */
export function withTranslated(
  draft: Draft,
  changes: Map<string, { [language: string]: string }>,
): Draft {
  const { pages, endings, translations } = withTexts(asSurvey(draft), changes)
  return {
    pages: pages as unknown as QuestionPage[],
    endings: (endings ?? []) as unknown as Ending[],
    texts: { ...draft.texts, translations: translations as Texts['translations'] },
  }
}

/** The texts that a draft lacks, by language, in words: "French lacks 4 texts". */
export function missingWords(draft: Draft): string[] {
  return missingIn(asSurvey(draft)).flatMap(({ language, count }) =>
    count && language !== draft.texts.language
      ? [
          t('{language} lacks {count} text | {language} lacks {count} texts', {
            language: nameOf(language),
            count,
          }),
        ]
      : [],
  )
}

/** A language in its own words. */
export const nameOf = (code: string) => languages.find(({ value }) => value === code)?.label ?? code
