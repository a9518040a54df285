import { later } from '../later.tsx'

/** The editor of a field in its place; its code comes once the page stands. */
export const InPlaceEditor = later(() => import('./in-place.tsx'))
