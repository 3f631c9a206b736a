import { z } from 'zod'
import { AppError } from '../../lib/app-error.ts'
import { isUnreachable, openid, signInFailure } from './code-provider.ts'
import type { OAuthProvider, ReadPerson } from './oauth.ts'
import type { ReadOption } from './ports.ts'
import { namesOf, providerTexts } from './profile.ts'

export interface OAuthAddresses {
  readonly github: {
    readonly authorize: string
    readonly token: string
    /** Without a final slash. */
    readonly api: string
  }
  readonly discord: { readonly authorize: string; readonly token: string; readonly user: string }
  readonly linuxdo: { readonly authorize: string; readonly token: string; readonly user: string }
}

export const publicOAuth: OAuthAddresses = {
  github: {
    authorize: 'https://github.com/login/oauth/authorize',
    token: 'https://github.com/login/oauth/access_token',
    api: 'https://api.github.com',
  },
  discord: {
    authorize: 'https://discord.com/oauth2/authorize',
    token: 'https://discord.com/api/oauth2/token',
    user: 'https://discord.com/api/users/@me',
  },
  linuxdo: {
    authorize: 'https://connect.linux.do/oauth2/authorize',
    token: 'https://connect.linux.do/oauth2/token',
    user: 'https://connect.linux.do/api/user',
  },
}

const gitHubPerson = z.object({ id: z.int().positive(), login: z.string().min(1), name: z.string().nullish() })
const gitHubEmails = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }))

/** GitHub. Accounts are identified by number: login names can be released and reused. */
const gitHub = (option: ReadOption, addresses: OAuthAddresses['github']): OAuthProvider => {
  const verifiedEmail = async (read: ReadPerson): Promise<string | undefined> => {
    // People sign in without it as well, when they do not let us see their addresses.
    const all = await read(`${addresses.api}/user/emails`, gitHubEmails).catch(() => undefined)
    return all?.find(({ primary, verified }) => primary && verified)?.email
  }
  const refused = (error: unknown): AppError => signInFailure(error, 'github_profile_empty', namesOf('github'))
  return {
    addresses,
    isEnabled: () => option('GitHubOAuthEnabled'),
    client: () => ({ id: option('GitHubClientId'), secret: option('GitHubClientSecret') }),
    auth: 'post',
    scope: 'read:user user:email',
    pkce: true,
    codeMissing: 'invalid_parameter',
    async profileOf(read) {
      const found = await read(`${addresses.api}/user`, gitHubPerson)
      if (found === undefined) throw new AppError('github_profile_empty')
      return {
        provider: 'github',
        prefix: providerTexts.github.prefix,
        subject: String(found.id),
        name: found.login,
        earlier: found.login,
        displayName: found.name || providerTexts.github.displayName,
        email: await verifiedEmail(read),
      }
    },
    tokenRefused: refused,
    userRefused: refused,
  }
}

const discordPerson = z.object({
  id: z.string().regex(/^\d{1,30}$/),
  username: z.string().min(1),
  global_name: z.string().nullish(),
  email: z.string().nullish(),
  verified: z.boolean().nullish(),
})

/** Discord. Accounts are identified by number: names there can be changed. */
const discord = (option: ReadOption, addresses: OAuthAddresses['discord']): OAuthProvider => {
  const refused = (error: unknown): AppError => signInFailure(error, 'discord_user_failed', namesOf('discord'))
  return {
    addresses,
    isEnabled: () => option('DiscordOAuthEnabled'),
    client: () => ({ id: option('DiscordClientId'), secret: option('DiscordClientSecret') }),
    auth: 'post',
    scope: 'identify email',
    pkce: true,
    codeMissing: 'invalid_parameter',
    async profileOf(read) {
      const found = await read(addresses.user, discordPerson)
      if (found === undefined) throw new AppError('discord_user_failed')
      return {
        provider: 'discord',
        prefix: providerTexts.discord.prefix,
        subject: found.id,
        name: found.username,
        earlier: '',
        displayName: found.global_name || found.username,
        email: found.verified === true ? (found.email ?? undefined) : undefined,
      }
    },
    tokenRefused: refused,
    userRefused: refused,
  }
}

const linuxDoPerson = z.object({
  id: z.union([z.int().positive(), z.string().regex(/^[1-9]\d*$/)]),
  username: z.string().default(''),
  name: z.string().nullish(),
})

/** Linux DO; it does not say that it knows PKCE. */
const linuxDo = (option: ReadOption, addresses: OAuthAddresses['linuxdo']): OAuthProvider => ({
  addresses,
  isEnabled: () => option('LinuxDOOAuthEnabled'),
  client: () => ({ id: option('LinuxDOClientId'), secret: option('LinuxDOClientSecret') }),
  auth: 'basic',
  pkce: false,
  codeMissing: 'linuxdo_code_missing',
  async profileOf(read) {
    const found = await read(addresses.user, linuxDoPerson)
    if (found === undefined) throw new AppError('linuxdo_user_empty')
    const subject = String(found.id)
    return {
      provider: 'linuxdo',
      prefix: providerTexts.linuxdo.prefix,
      subject,
      name: found.username || subject,
      earlier: subject,
      displayName: found.name || found.username || providerTexts.linuxdo.displayName,
    }
  },
  tokenRefused(error) {
    if (isUnreachable(error)) return new AppError('linuxdo_unreachable', { cause: error })
    const reason = error instanceof openid().ResponseBodyError ? error.error : 'unreadable answer'
    return new AppError('linuxdo_token_failed', { params: { reason }, cause: error })
  },
  userRefused(error) {
    if (error instanceof AppError) return error
    return new AppError(isUnreachable(error) ? 'linuxdo_unreachable' : 'linuxdo_user_failed', { cause: error })
  },
})

/** The providers of plain OAuth 2. */
export const oauthProviders = (option: ReadOption, addresses: OAuthAddresses) => ({
  github: gitHub(option, addresses.github),
  discord: discord(option, addresses.discord),
  linuxdo: linuxDo(option, addresses.linuxdo),
})
