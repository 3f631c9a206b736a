import { ResponseBodyError } from 'openid-client'
import { z } from 'zod'
import { AppError } from '../../lib/app-error.ts'
import {
  beginWith,
  type CodeProvider,
  clientAuth,
  configure,
  exchange,
  isUnreachable,
  readAs,
} from './code-provider.ts'
import type { Outgoing } from './outgoing.ts'
import type { ReadOption } from './ports.ts'
import { providerTexts } from './profile.ts'

export interface LinuxDoAddresses {
  readonly authorize: string
  readonly token: string
  readonly user: string
}

export const publicLinuxDo: LinuxDoAddresses = {
  authorize: 'https://connect.linux.do/oauth2/authorize',
  token: 'https://connect.linux.do/oauth2/token',
  user: 'https://connect.linux.do/api/user',
}

const person = z.object({
  id: z.union([z.int().positive(), z.string().regex(/^[1-9]\d*$/)]),
  username: z.string().default(''),
  name: z.string().nullish(),
})

/** Linux DO; it does not say that it knows PKCE. */
export const createLinuxDo = (parts: {
  option: ReadOption
  addresses: LinuxDoAddresses
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
      { id: option('LinuxDOClientId'), auth: clientAuth(option('LinuxDOClientSecret'), 'basic') },
      parts.ask,
    )

  const tokenRefused = (error: unknown): never => {
    if (isUnreachable(error)) throw new AppError('linuxdo_unreachable', { cause: error })
    const reason = error instanceof ResponseBodyError ? error.error : 'unreadable answer'
    throw new AppError('linuxdo_token_failed', { params: { reason }, cause: error })
  }
  const userRefused = (error: unknown): never => {
    throw new AppError(isUnreachable(error) ? 'linuxdo_unreachable' : 'linuxdo_user_failed', { cause: error })
  }

  return {
    isEnabled: () => option('LinuxDOOAuthEnabled'),
    begin: (redirectUri) => beginWith(configuration(), { redirectUri, pkce: false }),
    async finish({ code }, kept) {
      if (code === '') throw new AppError('linuxdo_code_missing')
      const client = configuration()
      const token = await exchange(client, code, kept).catch(tokenRefused)
      const found = await readAs(client, token, addresses.user, person).catch(userRefused)
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
  }
}
