import type { Transaction } from 'kysely'
import type { Tables } from '#server/db/schema.ts'
import type { OrganisationParts } from '#server/features/organisations/parts.ts'
import type { RateLimiter, RateRule } from '#server/http/limits/rate-limit.ts'

/** Actions on accounts for provisioning; `features/users` implements them. Addresses are in lower case. */
export interface ProvisionedAccounts {
  /**
   * Makes an account without a password and without quota, under a drawn user name: names that people of the site may want
   * are not given to who is sent here. `address` counts as proved. `joined` runs in the transaction that makes it; what it throws, undoes
   * everything. Answers the id.
   */
  create(account: {
    readonly displayName: string
    readonly address: string | undefined
    joined(trx: Transaction<Tables>, userId: number): Promise<void>
  }): Promise<number>
  /** Makes an address the proved one of an account; false where another account has it. */
  bindAddress(trx: Transaction<Tables>, userId: number, address: string): Promise<boolean>
  endSessions(userId: number): Promise<void>
  /** Ends the system access token and every named one. */
  endAccessTokens(trx: Transaction<Tables>, userId: number): Promise<void>
}

export interface ProvisioningParts extends OrganisationParts {
  readonly accounts: ProvisionedAccounts
  /** True if the site is open for registration. If it is closed, accounts are made for addresses of a proved domain only. */
  readonly isRegistrationOpen: () => boolean
  readonly limiter: RateLimiter
  /** Of callers without a token that counts, per address. */
  readonly apiLimit: RateRule
  /** Option ServerAddress; empty while the operator has not set it. */
  readonly serverAddress: () => string
  /** Path below which the site is reached; empty for the root of its host. */
  readonly basePath: string
}

/** The organisation that a token of SCIM opens, and who calls. */
export interface ScimPlace {
  readonly organisationId: number
  readonly walletId: number
  readonly name: string
  readonly domain: string
  /** Role in the whole organisation of everybody who is sent; undefined for none. */
  readonly role: 'member' | 'viewer' | undefined
  readonly token: { readonly id: number; readonly name: string; readonly madeBy: number }
  readonly ip: string
  /** Base of the addresses of resources, e.g. `https://gateway.example/scim/v2/7`. */
  readonly base: string
}
