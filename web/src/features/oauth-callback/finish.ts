import { callWhole, httpError } from '../../lib/api/api.ts'
import { addressOf, callHeaders } from '../../lib/api/call-address.ts'
import { calls, codeProviders, type Envelope, type SignInResult } from '../../lib/api/contract.ts'
import { takeWay } from '../../lib/sign-in/third-party.ts'
import { withoutBase } from '../../lib/url/page-paths.ts'

/** The fields that Telegram signed, out of `#tgAuthResult=<base64url of JSON>`; undefined when there are none. */
export const telegramAnswer = (hash: string): Record<string, string> | undefined => {
  const [, encoded] = /^#tgAuthResult=([\w\-+/=]+)$/.exec(hash) ?? []
  if (encoded === undefined) return undefined
  try {
    const bytes = Uint8Array.from(atob(encoded.replaceAll('-', '+').replaceAll('_', '/')), (character) =>
      character.charCodeAt(0),
    )
    const fields: unknown = JSON.parse(new TextDecoder().decode(bytes))
    if (typeof fields !== 'object' || fields === null) return undefined
    return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]))
  } catch {
    return undefined
  }
}

/** The result of a sign-in at a provider. */
export type SignInOutcome =
  | { readonly kind: 'bound' }
  | { readonly kind: 'entered'; readonly result: SignInResult; readonly next: string | undefined }

/** The provider's answer has no state: this browser did not start the sign-in. */
export class Unanswered extends Error {}

type CodeProvider = (typeof codeProviders)[number]
const isCodeProvider = (name: string): name is CodeProvider => codeProviders.some((provider) => provider === name)

const finishCode = async (provider: CodeProvider, query: Record<string, string>): Promise<SignInOutcome> => {
  const { next } = takeWay()
  const { data, message } = await callWhole(calls.finishThirdParty, { params: { provider }, query })
  return message === 'bind' || data === undefined ? { kind: 'bound' } : { kind: 'entered', result: data, next }
}

/** The server answers with a redirect, which is not followed: it means that the account is linked. */
const bindTelegram = async (query: Record<string, string>): Promise<void> => {
  const response = await fetch(addressOf(calls.telegramBind.path, { query }), {
    credentials: 'same-origin',
    headers: callHeaders(),
    redirect: 'manual',
  })
  if (response.type === 'opaqueredirect') return
  const envelope = (await response.json().catch(() => undefined)) as Partial<Envelope> | undefined
  if (envelope?.success !== true) throw httpError(response.status, envelope)
}

const finishTelegram = async (state: string, hash: string): Promise<SignInOutcome> => {
  const { next, purpose } = takeWay()
  const fields = telegramAnswer(hash)
  // Without a check of this browser's state, anybody's link could sign its reader in as somebody else.
  if (fields === undefined || state === '') throw new Unanswered()
  const query = { ...fields, state }
  if (purpose === 'bind') {
    await bindTelegram(query)
    return { kind: 'bound' }
  }
  const { data } = await callWhole(calls.telegramLogin, { query })
  if (data === undefined) throw new Unanswered()
  return { kind: 'entered', result: data, next }
}

const finishProvider = async (slug: string, query: Record<string, string>): Promise<SignInOutcome> => {
  const { next } = takeWay()
  const { data, message } = await callWhole(calls.finishSingleSignOn, { params: { slug }, query })
  return message === 'bind' || data === undefined ? { kind: 'bound' } : { kind: 'entered', result: data, next }
}

const finished = new Map<string, Promise<SignInOutcome>>()

/** Finishes the way that led to `address`; asked twice, it answers the same, because a state counts once. */
export const finishWay = (address: URL): Promise<SignInOutcome> => {
  const running = finished.get(address.href)
  if (running) return running
  const provider = withoutBase(address.pathname).split('/')[2] ?? ''
  const query = Object.fromEntries(address.searchParams)
  const finish = (): Promise<SignInOutcome> => {
    if (isCodeProvider(provider)) return finishCode(provider, query)
    if (provider === 'telegram') return finishTelegram(query.state ?? '', address.hash)
    return finishProvider(provider, query)
  }
  const outcome = finish()
  finished.set(address.href, outcome)
  return outcome
}
