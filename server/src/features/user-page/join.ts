import type { BrowserSessions, TokenService, UserAdministration } from '../../app/noun-types.ts'
import type { FeatureKit } from '../../app/parts.ts'
import { userPageRoutes } from './routes.ts'
import { openUserPage } from './user-page.ts'
import { userTokens } from './user-tokens.ts'

/** Joins the page about one user to the users, their sessions and their keys. */
export const joinUserPage = (
  { database, audit, clock, on }: FeatureKit,
  others: {
    readonly showUser: UserAdministration['show']
    readonly sessions: Pick<BrowserSessions, 'publicIdOf' | 'endOne'>
    readonly tokens: Pick<TokenService, 'browse' | 'update' | 'setStatus'>
    endSessions(userId: number): Promise<void>
  },
): void => {
  const page = openUserPage({
    database,
    show: others.showUser,
    ...userTokens(others.tokens),
    endSessions: others.endSessions,
    sessions: others.sessions,
    audit,
    clock,
  })
  userPageRoutes(on, page)
}
