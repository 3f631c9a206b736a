import type { TokenService } from '../../app/noun-types.ts'
import type { UserPageParts } from './ports.ts'

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
