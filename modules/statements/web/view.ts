import type { QueryInputOf } from '@tollgate/contract'
import { calls } from '#web/lib/api/contract.ts'
import type { ConsoleLanguage } from '#web/lib/i18n.ts'
import { formatDate } from '#web/lib/text/format.ts'
import { formatMonth } from '#web/lib/text/format-time.ts'
import { zoneName } from '#web/lib/time/time-zone.ts'

/** User and month of a statement. */
export interface StatementView {
  readonly month: string
  readonly scope: 'mine' | 'user' | 'site'
  /** The user of the scope `user`; undefined until one is chosen. */
  readonly userId: number | undefined
}

const monthPattern = /^20\d\d-(0[1-9]|1[0-2])$/

/** Reads the address. `now` in unix seconds; administrators only may look at others. */
export const readView = (
  search: Readonly<Record<string, string | undefined>>,
  now: number,
  zone: string | undefined,
  isAdmin: boolean,
): StatementView => {
  const { month = '', user = '' } = search
  const userId = isAdmin && /^[1-9]\d{0,15}$/.test(user) ? Number(user) : undefined
  const wanted = search.scope === 'site' || search.scope === 'user' ? search.scope : undefined
  return {
    month: monthPattern.test(month) ? month : formatDate(now, zone).slice(0, 7),
    scope: isAdmin ? (wanted ?? (userId === undefined ? 'mine' : 'user')) : 'mine',
    userId,
  }
}

/** `2026 年 10 月` or `October 2026`. */
export const monthName = (month: string, language: ConsoleLanguage): string =>
  formatMonth(Date.parse(`${month}-01T00:00:00Z`) / 1000, { language, zone: 'UTC' })

type Query = QueryInputOf<typeof import('@tollgate/contract').getOwnStatement>

export const queryOf = ({ month }: StatementView, zone: string | undefined): Query => ({ month, zone: zoneName(zone) })

/** The calls of a view, and the parts that they need. Their answers have the same shape; only who may ask differs. */
export const callsOf = ({ scope, userId }: StatementView) => {
  if (scope === 'site') return { get: calls.getSiteStatement, file: calls.exportSiteStatement, parts: {} }
  if (scope === 'user')
    return { get: calls.getUserStatement, file: calls.exportUserStatement, parts: { params: { id: userId ?? 0 } } }
  return { get: calls.getOwnStatement, file: calls.exportOwnStatement, parts: {} }
}
