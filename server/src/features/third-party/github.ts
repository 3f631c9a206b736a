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

export interface GitHubAddresses {
  readonly authorize: string
  readonly token: string
  /** Without a final slash. */
  readonly api: string
}

export const publicGitHub: GitHubAddresses = {
  authorize: 'https://github.com/login/oauth/authorize',
  token: 'https://github.com/login/oauth/access_token',
  api: 'https://api.github.com',
}

const person = z.object({ id: z.int().positive(), login: z.string().min(1), name: z.string().nullish() })
const emails = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }))

/** GitHub. Accounts are identified by number: login names can be released and reused. */
export const createGitHub = (parts: {
  option: ReadOption
  addresses: GitHubAddresses
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
      { id: option('GitHubClientId'), auth: clientAuth(option('GitHubClientSecret'), 'post') },
      parts.ask,
    )

  const verifiedEmail = async (
    client: ReturnType<typeof configuration>,
    token: string,
  ): Promise<string | undefined> => {
    // People sign in without it as well, when they do not let us see their addresses.
    const all = await readAs(client, token, `${addresses.api}/user/emails`, emails).catch(() => undefined)
    return all?.find(({ primary, verified }) => primary && verified)?.email
  }

  return {
    isEnabled: () => option('GitHubOAuthEnabled'),
    begin: (redirectUri) => beginWith(configuration(), { redirectUri, scope: 'read:user user:email', pkce: true }),
    async finish({ code }, kept) {
      if (code === '') throw new AppError('invalid_parameter')
      try {
        const client = configuration()
        const token = await exchange(client, code, kept)
        const found = await readAs(client, token, `${addresses.api}/user`, person)
        if (found === undefined) throw new AppError('github_profile_empty')
        return {
          provider: 'github',
          prefix: providerTexts.github.prefix,
          subject: String(found.id),
          name: found.login,
          earlier: found.login,
          displayName: found.name || providerTexts.github.displayName,
          email: await verifiedEmail(client, token),
        }
      } catch (error) {
        throw signInFailure(error, 'github_profile_empty', namesOf('github'))
      }
    },
  }
}
