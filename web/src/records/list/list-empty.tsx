import { Link } from '@tanstack/react-router'
import type { Module } from '../../data/modules.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import type { Screens } from '../definition.ts'
import { importable } from './importable.ts'
import { t } from '../../locales/text.ts'

type Props = {
  screens: Screens
  words: Module['word']
  isFiltered: boolean
  onClear: () => void
  onNew: (() => void) | undefined
}

/** The content of an empty list: what belongs there, or that nothing matches. */
export function ListEmpty({ screens, words, isFiltered, onClear, onNew }: Props) {
  if (isFiltered) {
    return (
      <Empty
        icon="search"
        title={t('No {many} match', { many: words.many })}
        action={<Button onClick={onClear}>{t('Clear filters')}</Button>}
      >
        {t('Try other words, or fewer conditions.')}
      </Empty>
    )
  }
  const imported = importable.find((each) => `/${each}` === screens.address)
  return (
    <Empty
      icon={screens.icon}
      title={t('No {many} yet', { many: words.many })}
      action={
        onNew ? (
          <>
            <Button variant="primary" icon="plus" onClick={onNew}>
              {t('New {one}', { one: words.one })}
            </Button>
            {imported ? (
              <ButtonLink
                icon="upload"
                render={<Link to="/import" search={{ module: imported }} />}
              >
                {t('Import {many}', { many: words.many })}
              </ButtonLink>
            ) : null}
          </>
        ) : undefined
      }
    >
      {screens.empty}
    </Empty>
  )
}
