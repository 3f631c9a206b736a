import {
  batchTokens,
  browseTokens,
  countTokens,
  createToken,
  createTokens,
  deleteToken,
  deleteTokens,
  getToken,
  getTokensUsage,
  listTokens,
  revealToken,
  revealTokens,
  rotateToken,
  searchTokens,
  setTokensStatus,
  tokenHistory,
  updateToken,
} from '@tollgate/contract'
import type { ConsoleCaller, On } from '../../http/route.ts'
import { runTokenBatch } from './matching.ts'
import type { TokenService } from './service.ts'
import type { Owner } from './trace.ts'

const ownerOf = ({ caller, ip }: { caller: ConsoleCaller; ip: string }): Owner => ({
  id: caller.id,
  username: caller.username,
  group: caller.group,
  ip,
})

/** The console's calls for own tokens. */
export const tokenRoutes = (on: On, tokens: TokenService): void => {
  on(getTokensUsage, async (call) => ({ data: await tokens.usage(call.caller.id, call.query) }))
  on(listTokens, async (call) => {
    const { p, size } = call.query
    return { data: await tokens.list(ownerOf(call), { offset: p * size, limit: size }) }
  })
  on(searchTokens, async (call) => ({ data: await tokens.search(ownerOf(call), call.query) }))
  on(browseTokens, async (call) => ({ data: await tokens.browse(ownerOf(call), call.query) }))
  on(countTokens, async (call) => ({ data: await tokens.facet(ownerOf(call), call.query) }))
  on(getToken, async (call) => ({ data: await tokens.get(ownerOf(call), call.params.id) }))
  on(tokenHistory, async (call) => ({ data: await tokens.history(ownerOf(call), call.params.id) }))
  on(revealToken, async (call) => ({ data: { key: await tokens.reveal(ownerOf(call), call.params.id) } }))
  on(createToken, async (call) => ({ data: await tokens.create(ownerOf(call), call.body) }))
  on(rotateToken, async (call) => ({ data: await tokens.rotate(ownerOf(call), call.params.id) }))
  on(createTokens, async (call) => ({ data: await tokens.createMany(ownerOf(call), call.body) }))
  on(revealTokens, async (call) => ({ data: await tokens.batch.reveal(ownerOf(call), call.body.ids) }))
  on(setTokensStatus, async (call) => {
    const { ids, status } = call.body
    return { data: await tokens.batch.setStatus(ownerOf(call), ids, status) }
  })
  on(deleteTokens, async (call) => ({ data: await tokens.batch.remove(ownerOf(call), call.body.ids) }))
  on(batchTokens, async (call) => ({ data: await runTokenBatch(tokens, ownerOf(call), call.body, call.language) }))
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
