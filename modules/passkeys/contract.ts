import { signInResult } from '@tollgate/contract/accounts/session'
import { endpoint } from '@tollgate/contract/endpoint'
import { idParams } from '@tollgate/contract/page'
import { z } from 'zod'

export const longestPasskeyName = 60

export const passkey = z.object({
  id: z.int(),
  name: z.string(),
  created_time: z.int(),
  /** 0 when it was never used. */
  last_used_time: z.int(),
})
export type Passkey = z.output<typeof passkey>

export const passkeyName = z.string().trim().min(1).max(longestPasskeyName)

/** Options and answers of ceremonies have the JSON forms of WebAuthn level 3, which browsers and libraries speak. */
const ceremony = z.record(z.string(), z.unknown())

export const registrationAnswer = z.looseObject({
  id: z.string(),
  rawId: z.string(),
  type: z.literal('public-key'),
  clientExtensionResults: z.looseObject({}).default({}),
  response: z.looseObject({
    clientDataJSON: z.string(),
    attestationObject: z.string(),
    transports: z.array(z.string()).optional(),
  }),
})

export const authenticationAnswer = z.looseObject({
  id: z.string(),
  rawId: z.string(),
  type: z.literal('public-key'),
  clientExtensionResults: z.looseObject({}).default({}),
  response: z.looseObject({
    clientDataJSON: z.string(),
    authenticatorData: z.string(),
    signature: z.string(),
    userHandle: z.string().optional(),
  }),
})

export const listPasskeys = endpoint({
  method: 'GET',
  path: '/api/user/passkey',
  access: 'user',
  summary: 'Passkeys of the caller',
  data: z.array(passkey),
})

export const beginPasskey = endpoint({
  method: 'POST',
  path: '/api/user/passkey/register/begin',
  access: 'user',
  confirm: 'always',
  summary: 'Begins to add a passkey; a cookie binds the answer to this browser',
  data: ceremony,
})

export const finishPasskey = endpoint({
  method: 'POST',
  path: '/api/user/passkey/register/finish',
  access: 'user',
  confirm: 'always',
  summary: 'Adds the passkey that the browser made',
  body: z.object({ name: passkeyName, answer: registrationAnswer }),
  data: passkey,
})

export const renamePasskey = endpoint({
  method: 'PUT',
  path: '/api/user/passkey/:id',
  access: 'user',
  summary: 'Renames an own passkey',
  params: idParams,
  body: z.object({ name: passkeyName }),
})

export const removePasskey = endpoint({
  method: 'DELETE',
  path: '/api/user/passkey/:id',
  access: 'user',
  confirm: 'always',
  summary: 'Removes an own passkey',
  params: idParams,
})

export const beginPasskeyLogin = endpoint({
  method: 'POST',
  path: '/api/user/passkey/login/begin',
  access: 'visitor',
  critical: 'begin',
  summary: 'Begins a sign-in with a passkey',
  data: ceremony,
})

export const finishPasskeyLogin = endpoint({
  method: 'POST',
  path: '/api/user/passkey/login/finish',
  access: 'visitor',
  critical: 'proof',
  summary: 'Signs in with a passkey, which counts as both factors',
  body: z.object({ answer: authenticationAnswer }),
  data: signInResult,
})

export const beginPasskeyConfirmation = endpoint({
  method: 'POST',
  path: '/api/user/passkey/verify/begin',
  access: 'user',
  summary: 'Begins to prove with a passkey who the caller is',
  data: ceremony,
})

export const finishPasskeyConfirmation = endpoint({
  method: 'POST',
  path: '/api/user/passkey/verify/finish',
  access: 'user',
  summary: 'Proves with a passkey who the caller is, for ten minutes of this session',
  body: z.object({ answer: authenticationAnswer }),
})
