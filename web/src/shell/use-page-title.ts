import type { Page } from '../components/page.ts'
import { textIn, useLanguage } from '../lib/i18n.ts'

/** The title of a page in the reader's language. */
export const usePageTitle = (): ((page: Pick<Page, 'title'>) => string) => {
  const language = useLanguage()
  return ({ title }) => textIn(title, language)
}
