import type { ProviderBinding } from '@tollgate/contract'
import type { Database } from '../../../db/database.ts'
import { AppError } from '../../../lib/app-error.ts'
import type { Identities } from '../../../verification/identities.ts'
import type { AccountChanger, ReadOption, ThirdPartyAccounts } from '../ports.ts'
import type { ProviderDirectory } from './directory.ts'
import type { StoredProvider } from './store.ts'

export interface ProviderBindings {
  /** The providers that a user may link, and those that are linked. */
  list(userId: number): Promise<ProviderBinding[]>
  /** Throws AppError('binding_missing' | 'last_sign_in'). */
  unbind(by: AccountChanger, provider: StoredProvider): Promise<void>
}

/** Accounts of identity providers that belong to a user. */
export const createProviderBindings = (parts: {
  database: Database
  identities: Pick<Identities, 'of'>
  directory: ProviderDirectory
  accounts: ThirdPartyAccounts
  option: ReadOption
  /** True if the account can be opened by accounts elsewhere that are no identity provider's, or by an address. */
  opensOtherwise(userId: number): Promise<boolean>
}): ProviderBindings => {
  const organisationsOf = async (userId: number): Promise<ReadonlySet<number>> => {
    const rows = await parts.database.query
      .selectFrom('memberships')
      .select('organisation_id')
      .where('user_id', '=', userId)
      .execute()
    return new Set(rows.map(({ organisation_id }) => organisation_id))
  }

  const linksOf = async (userId: number) => {
    const linked = new Map((await parts.identities.of(userId)).map((identity) => [identity.provider, identity]))
    return parts.directory.all().flatMap((provider) => {
      const identity = linked.get(`idp:${provider.id}`)
      return identity === undefined ? [] : [{ provider, identity }]
    })
  }

  const hasOtherWay = async (userId: number, without: number): Promise<boolean> => {
    const links = await linksOf(userId)
    if (links.some(({ provider }) => provider.enabled && provider.id !== without)) return true
    return parts.opensOtherwise(userId)
  }

  return {
    async list(userId) {
      const [links, own] = await Promise.all([linksOf(userId), organisationsOf(userId)])
      const linked = new Map(links.map(({ provider, identity }) => [provider.id, identity]))
      const offered = parts.directory
        .all()
        .filter(
          ({ id, enabled, organisation_id }) =>
            linked.has(id) || (enabled && (organisation_id === 0 || own.has(organisation_id))),
        )
      return Promise.all(
        offered.map(async ({ id, slug, name, icon, enabled }) => ({
          slug,
          provider: name,
          icon,
          enabled,
          name: linked.get(id)?.name ?? '',
          created_time: linked.get(id)?.created_time ?? 0,
          removable: linked.has(id) && (await hasOtherWay(userId, id)),
        })),
      )
    },

    async unbind(by, { id }) {
      const links = await linksOf(by.id)
      if (!links.some(({ provider }) => provider.id === id)) throw new AppError('binding_missing')
      if (!(await hasOtherWay(by.id, id))) throw new AppError('last_sign_in')
      await parts.accounts.unlink(by, `idp:${id}`)
    },
  }
}
