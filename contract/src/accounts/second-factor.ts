import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { idParams } from '../page.ts'
import { longestCode } from './account-rules.ts'
import { signInResult } from './session.ts'

const code = z.object({ code: z.string().max(longestCode) })

/** The second step of a sign-in that answered `require_2fa`; the cookie of the first step identifies the user. */
export const secondStep = endpoint({
  method: 'POST',
  path: '/api/user/login/2fa',
  access: 'visitor',
  summary: 'Finishes a sign-in with a code of the authenticator or a recovery code',
  body: code,
  data: signInResult,
})

export const secondFactorState = z.object({
  enabled: z.boolean(),
  /** Recovery codes that were not used yet. */
  recovery_codes_left: z.int(),
  /** True if a system access token exists: it works without a second factor. */
  access_token: z.boolean(),
})
export type SecondFactorState = z.output<typeof secondFactorState>

export const getSecondFactor = endpoint({
  method: 'GET',
  path: '/api/user/2fa/status',
  access: 'user',
  summary: 'Whether the caller has a second factor',
  data: secondFactorState,
})

/** Nothing changes until `enableSecondFactor` proves that the authenticator works. */
export const beginSecondFactor = endpoint({
  method: 'POST',
  path: '/api/user/2fa/setup',
  access: 'user',
  confirm: 'always',
  summary: 'Makes a secret for an authenticator (TOTP)',
  data: z.object({ secret: z.string(), uri: z.string() }),
})

const recoveryCodes = z.object({ recovery_codes: z.array(z.string()) })

export const enableSecondFactor = endpoint({
  method: 'POST',
  path: '/api/user/2fa/enable',
  access: 'user',
  confirm: 'always',
  critical: 'proof',
  summary: 'Switches the second factor on; the answer shows the recovery codes once',
  body: code,
  data: recoveryCodes,
})

export const disableSecondFactor = endpoint({
  method: 'POST',
  path: '/api/user/2fa/disable',
  access: 'user',
  confirm: 'always',
  summary: 'Switches the second factor off and voids its recovery codes',
})

export const replaceRecoveryCodes = endpoint({
  method: 'POST',
  path: '/api/user/2fa/backup_codes',
  access: 'user',
  confirm: 'always',
  summary: 'Replaces the recovery codes and shows the new ones once',
  data: recoveryCodes,
})

/** For people who lost their device: second factor, recovery codes and other ways to sign in go, every session ends. */
export const resetSecondFactor = endpoint({
  method: 'POST',
  path: '/api/user/:id/2fa/reset',
  access: 'admin',
  confirm: true,
  summary: 'Removes the second factor and the passkeys of a user of a lower level',
  params: idParams,
})
