import { role } from '@tollgate/contract'
import { AppError } from '../lib/app-error.ts'

/** The one way in for people with an address of some domain. */
export interface RequiredWay {
  readonly slug: string
  /** Displayed name of the provider. */
  readonly name: string
  readonly domain: string
  /** Owner of the provider: 0 for the site, whose providers bind all users; those of an organisation bind its members alone. */
  readonly organisationId: number
}

/** The provider that is enforced for the domain of an address; undefined where there is none. */
export type FindRequiredWay = (address: string) => RequiredWay | undefined

/** Facts of an account that decide whether a provider is required. */
export interface BoundAccount {
  readonly id: number
  readonly email: string
  readonly role: number
}

export interface RequiredWays {
  /** Of an address that belongs to no account yet: whoever is new there signs in by this provider. */
  readonly ofAddress: FindRequiredWay
  /**
   * Of an account; undefined where any way will do. Root is let in by any way, because a provider that is set up wrongly must not
   * lock everybody out. Staff of the site, owners of an organisation and people who are not its members are never bound by it.
   */
  ofAccount(account: BoundAccount): Promise<RequiredWay | undefined>
}

/** `isBound` says whether an organisation may bind a person: a member who is no owner. */
export const createRequiredWays = (
  ofAddress: FindRequiredWay,
  isBound: (organisationId: number, userId: number) => Promise<boolean>,
): RequiredWays => ({
  ofAddress,
  async ofAccount(account) {
    const required = ofAddress(account.email)
    if (required === undefined || account.role >= role.root) return undefined
    if (required.organisationId === 0) return required
    if (account.role >= role.admin) return undefined
    return (await isBound(required.organisationId, account.id)) ? required : undefined
  },
})

/** Says which provider to sign in by; the console offers it from `data`. */
export const ssoRequired = (way: RequiredWay): AppError => offering('sso_required', way)

/**
 * The answer for a domain that an organisation enforces where it must not tell whether an account is a member's, and so whether
 * there is an account at all.
 */
export const ssoForMembers = (code: 'sso_or_credentials_wrong' | 'sso_or_reset_mail', way: RequiredWay): AppError =>
  offering(code, way)

const offering = (
  code: 'sso_required' | 'sso_or_credentials_wrong' | 'sso_or_reset_mail',
  { slug, name, domain }: RequiredWay,
): AppError => new AppError(code, { params: { domain, name }, data: { slug, name } })
