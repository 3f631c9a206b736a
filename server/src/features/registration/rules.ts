import { longestNewPassword, passwordText, usernameText } from '@tollgate/contract'
import { z } from 'zod'
import { AppError } from '../../lib/app-error.ts'
import { type FindRequiredWay, ssoRequired } from '../../verification/required-way.ts'
import type { RegistrationSettings } from './ports.ts'

// The subject of an identity has 255 characters at most.
const emailText = z.email().max(200)

/** An address in lower case, as it is kept and compared. Throws AppError('invalid_parameter' | 'email_invalid'). */
export const emailOf = (text: string): string => {
  const address = text.trim().toLowerCase()
  if (address === '') throw new AppError('invalid_parameter')
  if (!emailText.safeParse(address).success) throw new AppError('email_invalid')
  return address
}

type EmailRules = Pick<
  RegistrationSettings,
  'EmailDomainRestrictionEnabled' | 'EmailDomainWhitelist' | 'EmailAliasRestrictionEnabled'
>

/**
 * An address that the operator accepts, asked when a code is requested and again when it is used.
 * Throws like `emailOf`, and AppError('email_domain_refused' | 'email_alias_refused').
 */
export const acceptedEmail = (text: string, rules: EmailRules): string => {
  const address = emailOf(text)
  const [local = '', domain = ''] = address.split('@')
  if (rules.EmailDomainRestrictionEnabled && !rules.EmailDomainWhitelist.includes(domain)) {
    throw new AppError('email_domain_refused')
  }
  if (rules.EmailAliasRestrictionEnabled && /[+.]/.test(local)) throw new AppError('email_alias_refused')
  return address
}

/** Name and password of a new user, the name trimmed. Throws what is wrong with them. */
export const checkedNewcomer = (newcomer: { username: string; password: string; password2?: string | undefined }) => {
  if (newcomer.username.trim() === '' || newcomer.password === '') throw new AppError('credentials_missing')
  const username = usernameText.safeParse(newcomer.username)
  if (!username.success) throw new AppError('username_invalid')
  if (!passwordText.safeParse(newcomer.password).success && newcomer.password.length <= longestNewPassword) {
    throw new AppError('password_invalid')
  }
  if (newcomer.password.length > longestNewPassword) {
    throw new AppError('password_too_long', { params: { count: longestNewPassword } })
  }
  if (newcomer.password2 && newcomer.password2 !== newcomer.password) throw new AppError('passwords_differ')
  return { username: username.data, password: newcomer.password }
}

/** For somebody new. Throws AppError('sso_required') for an address whose people have to sign in by an identity provider. */
export const assertAnyWay = (ofAddress: FindRequiredWay, address: string): void => {
  const required = ofAddress(address.trim())
  if (required !== undefined) throw ssoRequired(required)
}

/** Throws an AppError while registration with a password is disabled. */
export const assertOpen = (settings: RegistrationSettings): void => {
  if (!settings.RegisterEnabled || settings.SelfUseModeEnabled) throw new AppError('registration_disabled')
  if (!settings.PasswordRegisterEnabled) throw new AppError('password_registration_disabled')
}
