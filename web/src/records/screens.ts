import { createContext, useContext } from 'react'
import type { Screens } from './definition.ts'

/** The record types that have screens, provided by the root of the page. */
export const AllScreens = createContext<readonly Screens[]>([])

/** The screens of a module; undefined if it has none. */
export function useScreensOf(module: string): Screens | undefined {
  return useContext(AllScreens).find((screens) => screens.module === module)
}

/** The screens for a word of the API: the module, or the records' own word, which their address has, such as meetings. */
export function screensNamed(all: readonly Screens[], word: string): Screens | undefined {
  return all.find(({ module, address }) => module === word || address === `/${word}`)
}

/** The address of a record's page; undefined if its module has no screens. */
export function useAddressOf(): (module: string, id: string) => string | undefined {
  const all = useContext(AllScreens)
  return (module, id) => {
    const screens = screensNamed(all, module)
    return screens && `${screens.address}/${encodeURIComponent(id)}`
  }
}
