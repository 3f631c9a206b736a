import { createScimToken, getProvisioning, revokeScimToken, setGroupPlaces, setProvisioning } from '@tollgate/contract'
import type { OrganisationParts } from '#server/features/organisations/parts.ts'
import { accessTo, type OrganisationAccess } from '#server/features/organisations/rights.ts'
import { actorOf } from '#server/http/actor.ts'
import type { On } from '#server/http/route.ts'
import type { Provisioning } from './provisioning.ts'
import type { ScimTokens } from './tokens.ts'

/** The calls with which an organisation's people set provisioning up. */
export const provisioningRoutes = (
  on: On,
  parts: Pick<OrganisationParts, 'database'> & { readonly provisioning: Provisioning; readonly tokens: ScimTokens },
): void => {
  const { provisioning, tokens } = parts
  const access = (call: { params: { id: number }; caller: { id: number } }): Promise<OrganisationAccess> =>
    accessTo(parts.database.query, call.params.id, call.caller.id)

  on(getProvisioning, async (call) => ({ data: await provisioning.show(await access(call)) }))
  on(setProvisioning, async (call) => {
    await provisioning.setRole(await access(call), actorOf(call), call.body.role)
    return {}
  })
  on(createScimToken, async (call) => ({
    data: { token: await tokens.create(await access(call), actorOf(call), call.body) },
  }))
  on(revokeScimToken, async (call) => {
    await tokens.revoke(await access(call), actorOf(call), call.body.token_id)
    return {}
  })
  on(setGroupPlaces, async (call) => {
    await provisioning.setPlaces(await access(call), actorOf(call), call.body)
    return {}
  })
}
