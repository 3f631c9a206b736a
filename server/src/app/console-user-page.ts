import type { TokenService } from '../features/tokens/service.ts'
import { userPageRoutes } from '../features/user-page/routes.ts'
import { openUserPage } from '../features/user-page/user-page.ts'
import type { On } from '../http/route.ts'
import type { AccountSide } from './console-accounts.ts'
import type { SharedParts } from './parts.ts'

/** Joins the page about one user to the users, their sessions and their keys. */
export const joinUserPage = (
  { database, audit, clock }: SharedParts,
  others: Pick<AccountSide, 'showUser' | 'endSessions' | 'sessions'> & { tokens: Pick<TokenService, 'browse'> },
  on: On,
): void => {
  const page = openUserPage({
    database,
    show: others.showUser,
    tokensOf: (id, query) =>
      others.tokens.browse({ id, username: '', group: '', ip: '' }, { ...query, token: '', group: '', not: [] }),
    endSessions: others.endSessions,
    sessions: others.sessions,
    audit,
    clock,
  })
  userPageRoutes(on, page)
}
