import { useNavigate } from '@tanstack/react-router'
import { textIn, useLanguage } from '../lib/i18n.ts'
import { useStatus } from '../lib/status.ts'
import { type FigureLink, figureSearch } from '../lib/url/figure-link.ts'
import { printSearch } from '../lib/url/url-state.ts'
import type { RowAction } from './data-table/columns/column.ts'
import { usePageLeads } from './page.ts'

/** The page that answers questions about figures, as links name it. */
interface FigurePage {
  readonly label: string
  hrefOf(link: FigureLink): string
}

/** The page that says of itself that it answers questions about figures; undefined without one, and while figures are off. */
export const useFigurePage = (): FigurePage | undefined => {
  const language = useLanguage()
  const { enable_data_export: enabled } = useStatus()
  const page = usePageLeads().find(({ leadsFrom }) => leadsFrom.figures)
  if (page === undefined || !enabled) return undefined
  return {
    label: textIn(page.title, language),
    hrefOf: (link) => `${page.path}${printSearch(figureSearch(link))}`,
  }
}

/** The action of a row that opens that page with the row as a filter. */
export const useFigureAction = (): ((link: FigureLink) => readonly RowAction[]) => {
  const page = useFigurePage()
  const navigate = useNavigate()
  return (link) =>
    page === undefined
      ? []
      : [{ label: page.label, icon: 'trend', onClick: () => void navigate({ href: page.hrefOf(link) }) }]
}

/** Sums of the rows that a link opens, as the figure beside it states them. */
interface SummedRows {
  /** Calls, failed ones included. */
  readonly calls?: number | undefined
  /** Quota units. */
  readonly quota?: number | null | undefined
}

/** Attributes that name the figures of a link to rows, and of the list of these rows: a proof follows each link and compares the two. */
export const summedRows = ({ calls, quota }: SummedRows) => ({
  ...(calls === undefined ? {} : { 'data-calls': calls }),
  ...(quota == null ? {} : { 'data-quota': quota }),
})
