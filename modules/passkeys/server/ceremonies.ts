import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { BodyOf, finishPasskey, finishPasskeyLogin } from '@tollgate/contract'
import { z } from 'zod'
import { AppError } from '#server/lib/app-error.ts'
import type { Secrets } from '#server/lib/security/secrets.ts'
import type { Party } from './party.ts'
import type { PasskeyRow } from './store.ts'

/** Loaded with the first ceremony: its 250 modules would take a fifth of every start. */
const webauthn = () => import('@simplewebauthn/server')

export type RegistrationAnswer = BodyOf<typeof finishPasskey>['answer']
export type AuthenticationAnswer = BodyOf<typeof finishPasskeyLogin>['answer']

/** State of a ceremony until the browser comes back. */
export const ceremony = z.object({ challenge: z.string(), party: z.object({ id: z.string(), origin: z.string() }) })
export type Ceremony = z.output<typeof ceremony>

export const ceremonySeconds = 300
/** EdDSA, ES256, RS256: what authenticators can. */
const supportedAlgorithmIDs = [-8, -7, -257]
const timeout = ceremonySeconds * 1000

const credential = ({ credential_id, transports }: PasskeyRow) => ({
  id: credential_id,
  transports: z.array(z.string()).parse(JSON.parse(transports)),
})

/** Tells the user to the authenticator without telling a user id. */
export const userHandle = (secrets: Secrets, userId: number): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.from(secrets.digest('proof', `passkey user ${userId}`), 'hex'))

export const registrationOptions = async (ceremony: {
  party: Party
  siteName: string
  user: { name: string; displayName: string; handle: Uint8Array<ArrayBuffer> }
  existing: readonly PasskeyRow[]
}) =>
  (await webauthn()).generateRegistrationOptions({
    rpName: ceremony.siteName,
    rpID: ceremony.party.id,
    userName: ceremony.user.name,
    userDisplayName: ceremony.user.displayName,
    userID: ceremony.user.handle,
    attestationType: 'none',
    excludeCredentials: ceremony.existing.map(credential),
    // Found without a username, and more than having the device: it counts as both factors.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs,
    timeout,
  })

/** `known` empty lets the person choose any passkey of the site. */
export const authenticationOptions = async (party: Party, existing: readonly PasskeyRow[]) =>
  (await webauthn()).generateAuthenticationOptions({
    rpID: party.id,
    userVerification: 'required',
    allowCredentials: existing.map(credential),
    timeout,
  })

const failed = (cause: unknown): never => {
  throw new AppError('passkey_failed', { cause })
}

/** The new credential. Throws AppError('passkey_failed'). */
export const verifiedRegistration = async (begun: Ceremony, answer: RegistrationAnswer) => {
  const { verifyRegistrationResponse } = await webauthn()
  const { registrationInfo } = await verifyRegistrationResponse({
    // The schema checks the members that matter; the library checks what they hold.
    response: answer as unknown as RegistrationResponseJSON,
    expectedChallenge: begun.challenge,
    expectedOrigin: begun.party.origin,
    expectedRPID: begun.party.id,
    requireUserVerification: true,
    supportedAlgorithmIDs,
  }).catch(failed)
  if (registrationInfo === undefined) throw new AppError('passkey_failed')
  return registrationInfo.credential
}

/** The new counter. Throws AppError('passkey_failed'), also when the counter went back: the key was copied. */
export const verifiedAuthentication = async (begun: Ceremony, answer: AuthenticationAnswer, row: PasskeyRow) => {
  const { verifyAuthenticationResponse } = await webauthn()
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: answer as unknown as AuthenticationResponseJSON,
    expectedChallenge: begun.challenge,
    expectedOrigin: begun.party.origin,
    expectedRPID: begun.party.id,
    requireUserVerification: true,
    credential: {
      id: row.credential_id,
      publicKey: new Uint8Array(Buffer.from(row.public_key, 'base64url')),
      counter: row.counter,
    },
  }).catch(failed)
  if (!verified) throw new AppError('passkey_failed')
  return authenticationInfo.newCounter
}
