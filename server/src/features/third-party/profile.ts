import { type BilingualText, type ThirdParty, thirdParties } from '@tollgate/contract'
import type { IdentityIssuer } from '../../verification/identities.ts'
import type { ProviderSession } from '../../verification/provider-session.ts'

/** Everything that vouches for an account but the e-mail address. */
export type LinkedProvider = Exclude<IdentityIssuer, 'email'>

/** A verified account at a third-party provider. */
export interface Profile {
  readonly provider: LinkedProvider
  /** Begins the username of a new user who has no name to take. */
  readonly prefix: string
  /** The provider's unique id of the account; it is never reused. */
  readonly subject: string
  /** Value in the column of `users`, if it is not the subject. */
  readonly shown?: string
  /** Name by which the person knows the account. */
  readonly name: string
  /** Value that an older product stored in the column of `users`: it identifies its owner once. */
  readonly earlier: string
  /** A name to take when it is free. */
  readonly username?: string | undefined
  readonly displayName: string
  /** Only an address that the provider has verified. */
  readonly email?: string | undefined
  /** The session there, as signing out there takes it; absent where signing out here leaves it. */
  readonly session?: ProviderSession | undefined
}

interface Words {
  /** The provider's name in Chinese sentences, with the blanks around it. */
  readonly zh: string
  readonly en: string
  readonly account: string
  /** Begins the usernames of new users. */
  readonly prefix: string
  /** The display name of accounts that state none. */
  readonly displayName: string
}

const weChat: BilingualText = { zh: '微信', en: 'WeChat' }

export const providerTexts: Readonly<Record<ThirdParty, Words>> = {
  github: { zh: ' GitHub ', en: 'GitHub', account: ' GitHub 账户', prefix: 'github_', displayName: 'GitHub User' },
  oidc: { zh: ' OIDC ', en: 'OIDC', account: ' OIDC 账户', prefix: 'oidc_', displayName: 'OIDC User' },
  discord: {
    zh: ' Discord ',
    en: 'Discord',
    account: ' Discord 账户',
    prefix: 'discord_',
    displayName: 'Discord User',
  },
  linuxdo: {
    zh: ' Linux DO ',
    en: 'Linux DO',
    account: ' Linux DO 账户',
    prefix: 'linuxdo_',
    displayName: 'Linux DO User',
  },
  wechat: { ...weChat, account: '微信账号', prefix: 'wechat_', displayName: 'WeChat User' },
  telegram: {
    zh: ' Telegram ',
    en: 'Telegram',
    account: ' Telegram 账户',
    prefix: 'telegram_',
    displayName: 'Telegram User',
  },
}

const identityProvider: BilingualText = { zh: '身份提供方', en: 'identity provider' }

/** Parameters of the errors that name a provider. */
export const namesOf = (provider: LinkedProvider): { name: string; name_en: string; account: string } => {
  const texts = thirdParties.find((name) => name === provider)
  const { zh, en } = texts === undefined ? identityProvider : providerTexts[texts]
  return { name: zh, name_en: en, account: texts === undefined ? '身份提供方账户' : providerTexts[texts].account }
}
