import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser'
import { ApiError, call } from '#web/lib/api/api.ts'
import { type BodyInputOf, calls, type SignInResult } from '#web/lib/api/contract.ts'
import { usePasskeyMessages } from './messages.ts'

const { say } = usePasskeyMessages

type Entry<E> = E extends { readonly '~entry'?: infer Of } ? NonNullable<Of> : never
type NewPasskey = BodyInputOf<Entry<typeof calls.finishPasskey>>['answer']
type PasskeyProof = BodyInputOf<Entry<typeof calls.finishPasskeyLogin>>['answer']

/** Undefined when the user declined or the dialog timed out: that is no failure. */
const unlessDeclined = async <T>(ceremony: Promise<T>): Promise<T | undefined> => {
  try {
    return await ceremony
  } catch (error) {
    if (!(error instanceof Error)) throw error
    if (error.name === 'NotAllowedError' || error.name === 'AbortError') return undefined
    const text = error.name === 'InvalidStateError' ? say('known') : say('failed', { reason: error.message })
    throw new ApiError(text, { code: 'passkey_browser', status: 0 })
  }
}

/** Makes a passkey with options of the server; undefined when the person declined. Throws ApiError. */
export const makePasskey = async (options: Record<string, unknown>): Promise<NewPasskey | undefined> => {
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON
  return (await unlessDeclined(startRegistration({ optionsJSON }))) as NewPasskey | undefined
}

/** Asks for a passkey with options of the server; undefined when the person declined. Throws ApiError. */
const askPasskey = async (options: Record<string, unknown>): Promise<PasskeyProof | undefined> => {
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON
  return (await unlessDeclined(startAuthentication({ optionsJSON }))) as PasskeyProof | undefined
}

/** Signs in with a passkey, which names the account by itself; undefined when the person declined. Throws ApiError. */
export const signInWithPasskey = async (): Promise<SignInResult | undefined> => {
  const answer = await askPasskey(await call(calls.beginPasskeyLogin))
  return answer && call(calls.finishPasskeyLogin, { body: { answer } })
}

/** Proves with a passkey who holds the session; false when the person declined. Throws ApiError. */
export const confirmWithPasskey = async (): Promise<boolean> => {
  const answer = await askPasskey(await call(calls.beginPasskeyConfirmation))
  if (answer) await call(calls.finishPasskeyConfirmation, { body: { answer } })
  return answer !== undefined
}
