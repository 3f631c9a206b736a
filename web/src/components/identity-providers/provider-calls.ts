import { call } from '../../lib/api/api.ts'
import {
  type BodyInputOf,
  calls,
  type createIdentityProvider,
  type IdentityProvider,
  type Organisation,
  type TestedProvider,
} from '../../lib/api/contract.ts'

/** Owner of these providers: the site, or an organisation, whose providers give roles in it alone. */
export type ProviderOwner = 'site' | Pick<Organisation, 'id' | 'name' | 'teams'>

type ProviderBody = BodyInputOf<typeof createIdentityProvider>

/** Calls that list providers, read again after a change. */
export const providerLists = [calls.listIdentityProviders, calls.listOrganisationProviders] as const

/** Makes a provider (`id` undefined) or changes one. Rejects with the server's error. */
export const saveProvider = (
  owner: ProviderOwner,
  id: number | undefined,
  body: ProviderBody,
): Promise<IdentityProvider> => {
  if (owner === 'site')
    return id === undefined
      ? call(calls.createIdentityProvider, { body })
      : call(calls.updateIdentityProvider, { params: { id }, body })
  // The server knows the one domain of an organisation.
  const own = { ...body, domains: [] }
  return id === undefined
    ? call(calls.createOrganisationProvider, { params: { id: owner.id }, body: own })
    : call(calls.updateOrganisationProvider, { params: { id: owner.id, provider: id }, body: own })
}

/** Removes a provider and the links of accounts to it. Rejects with the server's error. */
export const removeProvider = async (owner: ProviderOwner, id: number): Promise<void> => {
  if (owner === 'site') await call(calls.deleteIdentityProvider, { params: { id } })
  else await call(calls.deleteOrganisationProvider, { params: { id: owner.id, provider: id } })
}

/** Asks a provider about itself without saving anything. Rejects with the server's error. */
export const testProvider = (owner: ProviderOwner, connection: ProviderBody['connection']): Promise<TestedProvider> =>
  owner === 'site'
    ? call(calls.testIdentityProvider, { body: { connection } })
    : call(calls.testOrganisationProvider, { params: { id: owner.id }, body: { connection } })
