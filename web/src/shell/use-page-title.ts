import type { ConsolePage } from '../components/page.ts'
import { textIn, useLanguage } from '../lib/i18n.ts'

/** The title of a page in the reader's language. */
export const usePageTitle = (): ((page: Pick<ConsolePage, 'title'>) => string) => {
  const language = useLanguage()
  return ({ title }) => textIn(title, language)
}
