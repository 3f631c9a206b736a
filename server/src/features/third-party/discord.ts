import { z } from 'zod'
import { AppError } from '../../lib/app-error.ts'
import {
  beginWith,
  type CodeProvider,
  clientAuth,
  configure,
  exchange,
  readAs,
  signInFailure,
} from './code-provider.ts'
import type { Outgoing } from './outgoing.ts'
import type { ReadOption } from './ports.ts'
import { namesOf, providerTexts } from './profile.ts'

export interface DiscordAddresses {
  readonly authorize: string
  readonly token: string
  readonly user: string
}

export const publicDiscord: DiscordAddresses = {
  authorize: 'https://discord.com/oauth2/authorize',
  token: 'https://discord.com/api/oauth2/token',
  user: 'https://discord.com/api/users/@me',
}

const person = z.object({
  id: z.string().regex(/^\d{1,30}$/),
  username: z.string().min(1),
  global_name: z.string().nullish(),
  email: z.string().nullish(),
  verified: z.boolean().nullish(),
})

/** Discord. Accounts are identified by number: names there can be changed. */
export const createDiscord = (parts: {
  option: ReadOption
  addresses: DiscordAddresses
  ask: Outgoing
}): CodeProvider => {
  const { option, addresses } = parts
  const configuration = () =>
    configure(
      {
        issuer: new URL(addresses.authorize).origin,
        authorization_endpoint: addresses.authorize,
        token_endpoint: addresses.token,
      },
      { id: option('DiscordClientId'), auth: clientAuth(option('DiscordClientSecret'), 'post') },
      parts.ask,
    )

  return {
    isEnabled: () => option('DiscordOAuthEnabled'),
    begin: (redirectUri) => beginWith(configuration(), { redirectUri, scope: 'identify email', pkce: true }),
    async finish({ code }, kept) {
      if (code === '') throw new AppError('invalid_parameter')
      try {
        const client = configuration()
        const token = await exchange(client, code, kept)
        const found = await readAs(client, token, addresses.user, person)
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
      } catch (error) {
        throw signInFailure(error, 'discord_user_failed', namesOf('discord'))
      }
    },
  }
}
