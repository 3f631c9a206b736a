import { z } from 'zod'
import { endpoint } from '../endpoint.ts'

const turnstile = z.string().optional()

/** How long a code sent by mail is valid, and how long until another can be asked for. */
export const codeMinutes = 3
export const resendSeconds = 30
/** How long the link of a reset mail is valid. */
export const resetMinutes = 10

/** `password2` is the password once more; clients without such a field leave it out. What a field must look like is said one by one, so the schema takes any text. */
export const register = endpoint({
  method: 'POST',
  path: '/api/user/register',
  access: 'visitor',
  critical: 'register',
  human: 'register',
  summary: 'Registers an ordinary user, who is not signed in by that',
  query: z.object({ turnstile }),
  body: z.object({
    username: z.string().max(1000),
    password: z.string().max(1000),
    password2: z.string().optional(),
    email: z.string().max(1000).default(''),
    verification_code: z.string().max(1000).default(''),
    aff_code: z.string().max(1000).default(''),
  }),
})

/** For a signed-in user the code binds the address; for a visitor it serves to register. */
export const sendVerificationCode = endpoint({
  method: 'GET',
  path: '/api/verification',
  access: 'visitor',
  critical: 'mail',
  changes: true,
  human: 'verification',
  summary: 'Sends a code that proves who reads an e-mail address',
  query: z.object({ email: z.string().max(1000).default(''), turnstile }),
})

/** The answer is the same whether or not an account has the address. */
export const requestPasswordReset = endpoint({
  method: 'GET',
  path: '/api/reset_password',
  access: 'visitor',
  critical: 'mail',
  changes: true,
  human: 'reset_password',
  summary: 'Sends a link that sets a new password, if somebody has the address',
  query: z.object({ email: z.string().max(1000).default(''), turnstile }),
})

/** Without a password one is made. Answers the password that was made, empty when one was given. */
export const resetPassword = endpoint({
  method: 'POST',
  path: '/api/user/reset',
  access: 'visitor',
  critical: 'proof',
  summary: 'Sets a new password with the token of a reset mail; ends every session of the user',
  body: z.object({
    email: z.string().max(1000).default(''),
    token: z.string().max(1000).default(''),
    password: z.string().max(1000).optional(),
  }),
  data: z.string(),
})

export const bindEmail = endpoint({
  method: 'GET',
  path: '/api/oauth/email/bind',
  access: 'session',
  critical: 'proof',
  changes: true,
  confirm: 'always',
  summary: 'Binds an e-mail address with the code that was sent to it; replaces an earlier one',
  query: z.object({ email: z.string().max(1000).default(''), code: z.string().max(1000).default('') }),
})

export const unbindEmail = endpoint({
  method: 'DELETE',
  path: '/api/oauth/email/bind',
  access: 'user',
  confirm: 'always',
  summary: 'Removes the e-mail address of the own account',
})

/** When the mail is refused, the answer holds the SMTP server's reply. */
export const sendTestMail = endpoint({
  method: 'POST',
  path: '/api/option/test_mail',
  access: 'root',
  summary: 'Sends a test mail with the saved mail settings, to the own address unless another is given',
  body: z.object({ to: z.string().max(1000).default('') }),
})

export const getAffCode = endpoint({
  method: 'GET',
  path: '/api/user/aff',
  access: 'user',
  summary: 'The own invite code',
  data: z.string(),
})

/** `quota` is in quota units, at least one unit of currency. */
export const transferAffQuota = endpoint({
  method: 'POST',
  path: '/api/user/aff_transfer',
  access: 'user',
  summary: 'Moves what invitations earned to the own balance',
  body: z.object({ quota: z.int() }),
})
