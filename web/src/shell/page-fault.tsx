import type { ErrorComponentProps } from '@tanstack/react-router'
import { Link, useRouter } from '@tanstack/react-router'
import { asProblem } from '../api/problem.ts'
import { ButtonLink } from '../ui/button.tsx'
import { Fault } from '../ui/fault.tsx'
import { moduleWords } from '../data/module-words.ts'
import { places } from '../screens.ts'
import { reloadIfReachable } from './missing-code.ts'
import { inSentence, t } from '../locales/text.ts'

/** Shown instead of a page that failed. */
export function PageFault({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const { status, code, message, requestId } = asProblem(error)
  const title =
    status === 403
      ? t('You may not see this')
      : status === 404
        ? t('This is not here any more')
        : t('This page could not be shown')
  const text =
    status === 403
      ? t('{message}. An admin of your organization can give you access.', { message })
      : code === 'unexpected_error'
        ? t('Something failed unexpectedly. Try again, or continue with another page.')
        : message
  return (
    <Fault
      as="h1"
      title={title}
      message={text}
      requestId={requestId}
      {...(status === 403 || status === 404
        ? { action: <WayOut path={router.state.location.pathname} onLeave={reset} /> }
        : {
            onRetry: () => {
              if (code === 'code_missing') return void reloadIfReachable()
              reset()
              void router.invalidate()
            },
          })}
    />
  )
}

/** Where to continue from a page that failed: its list, or the first page. */
function WayOut({ path, onLeave }: { path: string; onLeave: () => void }) {
  const [, first = '', id] = path.split('/')
  return (
    <ButtonLink render={<Link to={(id ? `/${first}` : '/') as string} onClick={onLeave} />}>
      {id ? t('Back to {list}', { list: nameOfPlace(first) }) : t('Go home')}
    </ButtonLink>
  )
}

/** What the page at this word of an address is called, in a sentence. */
function nameOfPlace(word: string): string {
  const place = places.find(({ to }) => to === `/${word}`)
  return place ? inSentence(place.label) : moduleWords(word)
}
