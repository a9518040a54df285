import { useNavigate, useSearch } from '@tanstack/react-router'

/** A value in the address besides the section, such as the module that is shown; Back undoes setting it. */
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
