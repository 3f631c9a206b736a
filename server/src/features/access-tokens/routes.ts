import {
  listAccessTokens,
  listUserAccessTokens,
  makeNamedAccessToken,
  revokeAccessToken,
  revokeUserAccessToken,
} from '@tollgate/contract'
import { actorOf, type RankedActor, rankedActorOf } from '../../http/actor.ts'
import type { On } from '../../http/route.ts'
import type { AccessTokens } from './access-tokens.ts'

/** The console's calls for named access tokens: the own ones, and those of users below. */
export const accessTokenRoutes = (
  on: On,
  parts: {
    readonly accessTokens: AccessTokens
    /** Throws AppError when the actor may not see this user. */
    show(actor: RankedActor, userId: number): Promise<unknown>
  },
): void => {
  const { accessTokens } = parts
  on(listAccessTokens, async ({ caller }) => ({ data: await accessTokens.list(caller.id) }))
  on(makeNamedAccessToken, async ({ caller, body, ip }) => ({ data: await accessTokens.make(caller, body, ip) }))
  on(revokeAccessToken, async (call) => {
    await accessTokens.revoke(actorOf(call), call.caller.id, call.params.id)
    return {}
  })
  on(listUserAccessTokens, async (call) => {
    await parts.show(rankedActorOf(call), call.params.id)
    return { data: await accessTokens.list(call.params.id) }
  })
  on(revokeUserAccessToken, async (call) => {
    await parts.show(rankedActorOf(call), call.params.id)
    await accessTokens.revoke(actorOf(call), call.params.id, call.params.token)
    return {}
  })
}
