/** The languages of mails and of pages for outsiders. */
export const languages = ['en', 'de', 'fr', 'es', 'pt', 'nl'] as const
export type Language = (typeof languages)[number]
