import { type Binding, type Linkable, linkable, type ThirdParty } from '@tollgate/contract'
import type { Database } from '../../db/database.ts'
import type { UserRow } from '../../db/schema.ts'
import { AppError } from '../../lib/app-error.ts'
import { type Identities, shownColumn } from '../../verification/identities.ts'
import type { AccountChanger, ReadOption, ThirdPartyAccounts } from './ports.ts'
import { namesOf, type Profile } from './profile.ts'
import { identityOf, type ThirdPartySignIn } from './sign-in.ts'

export interface BindingParts {
  readonly database: Database
  readonly identities: Pick<Identities, 'of'>
  readonly signIn: Pick<ThirdPartySignIn, 'ownerOf'>
  readonly accounts: ThirdPartyAccounts
  readonly option: ReadOption
  isEnabled(provider: ThirdParty): boolean
  /** True if an identity provider is switched on. */
  isProviderEnabled(id: number): boolean
}

export interface Bindings {
  /** Throws AppError('third_party_taken'). */
  bind(by: AccountChanger, profile: Profile, names?: ReturnType<typeof namesOf>): Promise<void>
  list(userId: number): Promise<Binding[]>
  /** True if the account can be opened by a password or another way that is no identity provider. */
  opensOtherwise(userId: number): Promise<boolean>
  /** Throws AppError('binding_missing' | 'last_sign_in'). */
  unbind(by: AccountChanger, provider: ThirdParty): Promise<void>
}

type Link = Omit<Binding, 'removable'>

/** Accounts elsewhere that belong to a user. */
export const createBindings = (parts: BindingParts): Bindings => {
  const { accounts, option } = parts

  const own = async (id: number): Promise<UserRow> => {
    const row = await accounts.byId(id)
    if (row === undefined) throw new AppError('user_not_found')
    return row
  }

  /** Identities, and what an older product kept in the user's own columns. */
  const linksOf = async (row: UserRow): Promise<Link[]> => {
    const linked = await parts.identities.of(row.id)
    return linkable.flatMap((provider) => {
      const identity = linked.find((entry) => entry.provider === provider)
      if (identity) return [{ provider, name: identity.name, created_time: identity.created_time }]
      const column = shownColumn(provider)
      const shown = column === undefined ? '' : row[column]
      return shown === '' ? [] : [{ provider, name: shown, created_time: 0 }]
    })
  }

  /** An address is a way in because a forgotten password is set anew through it. */
  const opens = ({ provider }: Link): boolean =>
    provider === 'email' ? option('PasswordLoginEnabled') : parts.isEnabled(provider)

  const hasOtherWay = async (row: UserRow, links: readonly Link[], without?: Linkable): Promise<boolean> => {
    if (row.password !== '' && option('PasswordLoginEnabled')) return true
    if (links.some((link) => link.provider !== without && opens(link))) return true
    return accounts.opensBySignInWay(row.id)
  }

  const hasProvider = async (userId: number): Promise<boolean> =>
    (await parts.identities.of(userId)).some(({ provider }) => {
      const [, id] = /^idp:(\d+)$/.exec(provider) ?? []
      return id !== undefined && parts.isProviderEnabled(Number(id))
    })

  return {
    async bind(by, profile, names = namesOf(profile.provider)) {
      const taken = (): never => {
        throw new AppError('third_party_taken', { params: names })
      }
      const owner = await parts.signIn.ownerOf(profile)
      if (owner !== undefined && owner !== by.id) taken()
      await accounts.link(by, identityOf(profile)).catch((error: unknown) => {
        if (error instanceof AppError && error.code === 'identity_taken') taken()
        throw error
      })
    },

    async list(userId) {
      const row = await own(userId)
      const links = await linksOf(row)
      return Promise.all(
        links.map(async (link) => ({
          ...link,
          removable: (await hasOtherWay(row, links, link.provider)) || (await hasProvider(row.id)),
        })),
      )
    },

    async opensOtherwise(userId) {
      const row = await own(userId)
      return hasOtherWay(row, await linksOf(row))
    },

    async unbind(by, provider) {
      const row = await own(by.id)
      const links = await linksOf(row)
      if (!links.some((link) => link.provider === provider)) throw new AppError('binding_missing')
      if (!(await hasOtherWay(row, links, provider)) && !(await hasProvider(row.id))) throw new AppError('last_sign_in')
      await accounts.unlink(by, provider)
    },
  }
}
