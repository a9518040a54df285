import { createContext, useContext } from 'react'

/** The person's locale, which may differ from the browser's; provided by `UiProvider`. */
export const LocaleContext = createContext<string | undefined>(undefined)

/** The locale in which numbers are shown and typed. */
export const useLocale = (): string | undefined => useContext(LocaleContext)
