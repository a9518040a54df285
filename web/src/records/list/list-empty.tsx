import { Link } from '@tanstack/react-router'
import type { Module } from '../../data/modules.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import type { Screens } from '../definition.ts'
import { importable } from './importable.ts'

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
        title={`No ${words.many} match`}
        action={<Button onClick={onClear}>Clear filters</Button>}
      >
        Try other words, or fewer conditions.
      </Empty>
    )
  }
  const imported = importable.find((each) => `/${each}` === screens.address)
  return (
    <Empty
      icon={screens.icon}
      title={`No ${words.many} yet`}
      action={
        onNew ? (
          <>
            <Button variant="primary" icon="plus" onClick={onNew}>
              {`New ${words.one}`}
            </Button>
            {imported ? (
              <ButtonLink
                icon="upload"
                render={<Link to="/import" search={{ module: imported }} />}
              >
                {`Import ${words.many}`}
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
