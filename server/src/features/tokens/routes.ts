import {
  browseTokens,
  createToken,
  deleteToken,
  getToken,
  listTokens,
  revealToken,
  searchTokens,
  updateToken,
} from '@tollgate/contract'
import type { Caller, On } from '../../http/route.ts'
import type { Owner, TokenService } from './service.ts'

const ownerOf = ({ caller, ip }: { caller: Caller; ip: string }): Owner => ({
  id: caller.id,
  username: caller.username,
  group: caller.group,
  ip,
})

/** The console's calls for own tokens. */
export const tokenRoutes = (on: On, tokens: TokenService): void => {
  on(listTokens, async (call) => {
    const { p, size } = call.query
    return { data: await tokens.list(ownerOf(call), { offset: p * size, limit: size }) }
  })
  on(searchTokens, async (call) => ({ data: await tokens.search(ownerOf(call), call.query) }))
  on(browseTokens, async (call) => ({ data: await tokens.browse(ownerOf(call), call.query) }))
  on(getToken, async (call) => ({ data: await tokens.get(ownerOf(call), call.params.id) }))
  on(revealToken, async (call) => ({ data: { key: await tokens.reveal(ownerOf(call), call.params.id) } }))
  on(createToken, async (call) => ({ data: await tokens.create(ownerOf(call), call.body) }))
  on(updateToken, async (call) => {
    const { id, status } = call.body
    if (call.query.status_only) return { data: await tokens.setStatus(ownerOf(call), id, status) }
    return { data: await tokens.update(ownerOf(call), call.body) }
  })
  on(deleteToken, async (call) => {
    await tokens.remove(ownerOf(call), call.params.id)
    return {}
  })
}
