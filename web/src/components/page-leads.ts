import { type AnyRoute, useRouter } from '@tanstack/react-router'
import type { ConsolePage } from './page.ts'

/** A page that another screen leads to. */
type PageLead = Pick<ConsolePage, 'path' | 'title'> & Required<Pick<ConsolePage, 'leadsFrom'>>

/** Pages that other screens lead to, from the router's own table: a screen names none of them. */
export const usePageLeads = (): readonly PageLead[] =>
  Object.values<AnyRoute>(useRouter().routesByPath).flatMap(({ fullPath, options }) => {
    const { title, leadsFrom } = options.staticData ?? {}
    return title && leadsFrom ? [{ path: fullPath, title, leadsFrom }] : []
  })

/** Pages that have a button above the page with this path. */
export const usePageLeadsAbove = (path: `/${string}`): readonly PageLead[] =>
  usePageLeads().filter(({ leadsFrom }) => leadsFrom.pages?.includes(path))
