import { useNavigate, useSearch } from '@tanstack/react-router'

/** A value in the address beside the section, as the module that is shown; setting it can be undone by Back. */
export function useSearchValue(name: string): [string | undefined, (value?: string) => void] {
  const search = useSearch({ strict: false }) as { [name: string]: unknown }
  const navigate = useNavigate()
  const value = search[name]
  return [
    typeof value === 'string' ? value : undefined,
    (next) =>
      void navigate({
        to: '.',
        search: ((before: object) => ({ ...before, [name]: next })) as never,
      }),
  ]
}
