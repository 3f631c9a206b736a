import { AppError } from '../lib/app-error.ts'

/** The one way in for people with an address of some domain. */
export interface RequiredWay {
  readonly slug: string
  /** What people call the provider. */
  readonly name: string
  readonly domain: string
}

/** The provider that people with this address have to sign in by; undefined where any way will do. */
export type FindRequiredWay = (address: string) => RequiredWay | undefined

/** Says which provider to sign in by; the console offers it from `data`. */
export const ssoRequired = ({ slug, name, domain }: RequiredWay): AppError =>
  new AppError('sso_required', { params: { domain, name }, data: { slug, name } })
