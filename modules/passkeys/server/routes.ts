import {
  beginPasskey,
  beginPasskeyConfirmation,
  beginPasskeyLogin,
  finishPasskey,
  finishPasskeyConfirmation,
  finishPasskeyLogin,
  listPasskeys,
  removePasskey,
  renamePasskey,
  type SignInResult,
} from '@tollgate/contract'
import { type ConsoleClient, clientOf } from '#server/http/client.ts'
import type { ConsoleCaller, Cookie, On } from '#server/http/route.ts'
import { AppError } from '#server/lib/app-error.ts'
import { ceremonySeconds } from './ceremonies.ts'
import { type Party, partyOf } from './party.ts'
import type { PasskeyCeremony, PasskeyOwner, Passkeys } from './passkeys.ts'
import { passkeyMethod } from './store.ts'

export interface PasskeyRouteParts {
  readonly passkeys: Passkeys
  /** Option ServerAddress. */
  serverAddress(): string
  /** The user has proved both factors; `how` is for the trail. */
  signIn(
    userId: number,
    client: ConsoleClient,
    how: string,
  ): Promise<{ data: SignInResult; cookies: readonly Cookie[] }>
  /** The session has just proved who it is. */
  confirmed(sessionIdHash: string): Promise<void>
}

/** Holds a ceremony in the browser that began it. */
const passkeyCookie = 'passkey'
const ended: Cookie = { name: passkeyCookie, value: undefined, maxAgeSeconds: 0 }

const begunAnswer = ({ options, id }: PasskeyCeremony) => ({
  data: options,
  cookies: [{ name: passkeyCookie, value: id, maxAgeSeconds: ceremonySeconds }],
})

const ownerOf = ({ caller, ip }: { caller: ConsoleCaller; ip: string }): PasskeyOwner => {
  if (caller.viaAccessToken) throw new AppError('access_token_not_supported')
  return { id: caller.id, username: caller.username, sessionIdHash: caller.sessionIdHash, ip }
}

/** The console's calls for passkeys: the own ones, signing in, and proving who one is. */
export const passkeyRoutes = (on: On, parts: PasskeyRouteParts): void => {
  const { passkeys } = parts
  const party = (call: { header(name: string): string | undefined }): Party =>
    partyOf(parts.serverAddress(), call.header)

  on(listPasskeys, async ({ caller }) => ({ data: await passkeys.list(caller.id) }))
  on(beginPasskey, async (call) => begunAnswer(await passkeys.beginAdding(ownerOf(call), party(call))))
  on(finishPasskey, async (call) => ({
    data: await passkeys.add(ownerOf(call), call.cookie(passkeyCookie), call.body),
    cookies: [ended],
  }))
  on(renamePasskey, async (call) => {
    await passkeys.rename(ownerOf(call), call.params.id, call.body.name)
    return {}
  })
  on(removePasskey, async (call) => {
    await passkeys.remove(ownerOf(call), call.params.id)
    return {}
  })

  on(beginPasskeyLogin, async (call) => begunAnswer(await passkeys.beginLogin(party(call))))
  on(finishPasskeyLogin, async (call) => {
    const userId = await passkeys.login(call.cookie(passkeyCookie), call.body.answer)
    const { data, cookies } = await parts.signIn(userId, clientOf(call), passkeyMethod)
    return { data, cookies: [...cookies, ended] }
  })

  on(beginPasskeyConfirmation, async (call) => begunAnswer(await passkeys.beginConfirming(ownerOf(call), party(call))))
  on(finishPasskeyConfirmation, async (call) => {
    const owner = ownerOf(call)
    await passkeys.confirm(owner, call.cookie(passkeyCookie), call.body.answer)
    await parts.confirmed(owner.sessionIdHash)
    return { cookies: [ended] }
  })
}
