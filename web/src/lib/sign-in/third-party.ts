import { ApiError, call } from '../api/api.ts'
import { calls, type StartableThirdParty, type ThirdParty, thirdParties } from '../api/contract.ts'
import type { SiteStatus } from '../status.ts'
import { inviteCode } from './invite-code.ts'

/** Names of providers; WeChat's is a word of the language and comes from the screen. */
export const thirdPartyNames: Readonly<Record<StartableThirdParty, string>> = {
  github: 'GitHub',
  discord: 'Discord',
  oidc: 'OIDC',
  linuxdo: 'LinuxDO',
  telegram: 'Telegram',
}

/**
 * The identity provider that a link to the login page names (`?sso=`): those of organisations have no button there otherwise.
 * Undefined for what is no name of a provider.
 */
export const providerOfLink = (slug: string | undefined): string | undefined =>
  slug !== undefined && /^[a-z][a-z0-9-]{0,38}[a-z0-9]$/.test(slug) ? slug : undefined

/** A provider that the server says to sign in by. */
export interface RequiredProvider {
  readonly slug: string
  readonly name: string
}

/** The provider that a refused sign-in, registration or reset names; undefined for every other failure. */
export const requiredProviderOf = (error: unknown): RequiredProvider | undefined => {
  if (!(error instanceof ApiError) || !error.code.startsWith('sso_')) return undefined
  const { slug, name } = (error.data ?? {}) as Partial<Record<keyof RequiredProvider, unknown>>
  const known = typeof slug === 'string' ? providerOfLink(slug) : undefined
  return known === undefined || typeof name !== 'string' ? undefined : { slug: known, name }
}

/** True if accounts elsewhere open the site. */
export const hasThirdParty = (status: SiteStatus): boolean =>
  (status.identity_providers ?? []).length > 0 || thirdParties.some((provider) => isThirdPartyOn(status, provider))

/** True if the site has enabled a provider. */
export const isThirdPartyOn = (status: SiteStatus, provider: ThirdParty): boolean =>
  ({
    github: status.github_oauth,
    discord: status.discord_oauth,
    oidc: status.oidc_enabled,
    linuxdo: status.linuxdo_oauth,
    wechat: status.wechat_login,
    telegram: status.telegram_oauth,
  })[provider] === true

/** This tab's state while the user is at the provider. */
interface Way {
  readonly purpose: 'login' | 'bind'
  /** Address that the reader wanted to open. */
  readonly next?: string
}

const key = 'third-party'

const asWay = (value: unknown): Way => {
  const way = (typeof value === 'object' && value !== null ? value : {}) as Partial<Record<keyof Way, unknown>>
  return {
    purpose: way.purpose === 'bind' ? 'bind' : 'login',
    ...(typeof way.next === 'string' ? { next: way.next } : {}),
  }
}

/** Reads and forgets the way that this tab went; private windows may remember nothing. */
export const takeWay = (): Way => {
  try {
    const text = sessionStorage.getItem(key)
    sessionStorage.removeItem(key)
    return asWay(text === null ? undefined : (JSON.parse(text) as unknown))
  } catch {
    return asWay(undefined)
  }
}

const keepWay = (way: Way): void => {
  try {
    sessionStorage.setItem(key, JSON.stringify(way))
  } catch {
    return
  }
}

/** Sends this tab to a provider. Rejects with the server's error when that is not possible. */
export const goToThirdParty = async (
  provider: StartableThirdParty,
  purpose: 'login' | 'bind',
  next?: string,
): Promise<void> => {
  const params = { provider }
  const { url } =
    purpose === 'bind'
      ? await call(calls.startThirdPartyBinding, { params })
      : await call(calls.startThirdPartyLogin, { params, body: { aff: inviteCode() } })
  leave(url, purpose, next)
}

const leave = (url: string, purpose: Way['purpose'], next: string | undefined): void => {
  keepWay({ purpose, ...(next === undefined ? {} : { next }) })
  window.location.assign(url)
}

/** Sends this tab to an identity provider. Rejects with the server's error when that is not possible. */
export const goToProvider = async (slug: string, purpose: 'login' | 'bind', next?: string): Promise<void> => {
  const params = { slug }
  const { url } =
    purpose === 'bind'
      ? await call(calls.startProviderBinding, { params })
      : await call(calls.startSingleSignOn, { params, body: { aff: inviteCode() } })
  leave(url, purpose, next)
}
