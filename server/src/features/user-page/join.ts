import type { BrowserSessions, TokenService, UserAdministration } from '../../app/noun-types.ts'
import type { FeatureKit } from '../../app/parts.ts'
import type { UserPageParts } from './ports.ts'
import { userPageRoutes } from './routes.ts'
import { openUserPage } from './user-page.ts'

/** Calls of administrators about tokens of users, made of those of owners. The status is set after the other fields, as it depends on them. */
export const userTokens = (
  tokens: Pick<TokenService, 'browse' | 'update' | 'setStatus'>,
): Pick<UserPageParts, 'tokensOf' | 'updateToken'> => ({
  tokensOf: (id, query) =>
    tokens.browse({ id, username: '', group: '', ip: '' }, { ...query, token: '', group: '', not: [] }),
  async updateToken(viewer, { id, username, group }, { status, ...fields }) {
    const owner = { id, username, group, ip: viewer.ip, actor: { id: viewer.id, username: viewer.username } }
    if (status === undefined) return tokens.update(owner, fields)
    const { id: tokenId, ...others } = fields
    if (Object.keys(others).length > 0) await tokens.update(owner, fields)
    return tokens.setStatus(owner, tokenId, status)
  },
})

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
