import { later } from '../later.tsx'

/** The editor of a field in place; its code is loaded after the page is shown. */
export const InPlaceEditor = later(() => import('./in-place.tsx'))
