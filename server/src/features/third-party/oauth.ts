import type { ErrorCode } from '@tollgate/contract'
import type { z } from 'zod'
import { AppError } from '../../lib/app-error.ts'
import type { Outgoing } from '../../lib/security/outgoing.ts'
import { beginWith, type CodeProvider, clientAuth, configure, exchange, readAs } from './code-provider.ts'
import type { Profile } from './profile.ts'

/** Reads something of the signed-in person; undefined unless the answer is 200 and of the right shape. */
export type ReadPerson = <Schema extends z.ZodType>(
  url: string,
  schema: Schema,
) => Promise<z.output<Schema> | undefined>

/** Particulars of a provider of plain OAuth 2. */
export interface OAuthProvider {
  readonly addresses: { readonly authorize: string; readonly token: string }
  isEnabled(): boolean
  /** Client that the operator registered there. */
  client(): { readonly id: string; readonly secret: string }
  /** How the client proves itself. */
  readonly auth: 'post' | 'basic'
  readonly scope?: string
  /** True if it knows PKCE. */
  readonly pkce: boolean
  /** The answer to a browser that comes without a code. */
  readonly codeMissing: ErrorCode
  /** Person who signed in. */
  profileOf(read: ReadPerson): Promise<Profile>
  /** Errors for a refused code, and for a person who could not be read. */
  tokenRefused(error: unknown): AppError
  userRefused(error: unknown): AppError
}

/** Signs people in by a provider of plain OAuth 2: a code becomes an access token, which reads who it is about. */
export const createOAuth = (provider: OAuthProvider, ask: Outgoing): CodeProvider => {
  const configuration = () => {
    const { authorize, token } = provider.addresses
    const { id, secret } = provider.client()
    return configure(
      { issuer: new URL(authorize).origin, authorization_endpoint: authorize, token_endpoint: token },
      { id, auth: clientAuth(secret, provider.auth) },
      ask,
    )
  }

  return {
    isEnabled: provider.isEnabled,
    begin: (redirectUri) =>
      beginWith(configuration(), {
        redirectUri,
        pkce: provider.pkce,
        ...(provider.scope === undefined ? {} : { scope: provider.scope }),
      }),
    async finish({ code }, kept) {
      if (code === '') throw new AppError(provider.codeMissing)
      const client = configuration()
      const token = await exchange(client, code, kept).catch((error: unknown) => {
        throw provider.tokenRefused(error)
      })
      return provider
        .profileOf((url, schema) => readAs(client, token, url, schema))
        .catch((error: unknown) => {
          throw provider.userRefused(error)
        })
    },
  }
}
