import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser'
import { ApiError } from '../api/api.ts'
import type { BodyInputOf, calls } from '../api/contract.ts'
import { defineMessages } from '../i18n.ts'

const usePasskeyMessages = defineMessages('passkeys', {
  zh: { failed: '浏览器无法使用通行密钥：{{reason}}', known: '此设备上已有该账户的通行密钥' },
  en: {
    failed: 'The browser could not use a passkey: {{reason}}',
    known: 'This device has a passkey of the account already',
  },
})
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
export const askPasskey = async (options: Record<string, unknown>): Promise<PasskeyProof | undefined> => {
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON
  return (await unlessDeclined(startAuthentication({ optionsJSON }))) as PasskeyProof | undefined
}
