import type { BodyOf, register } from '@tollgate/contract'
import { AppError } from '../../lib/app-error.ts'
import type { EmailCodes, ProvenEmail } from './email-codes.ts'
import type { RegistrationParts } from './ports.ts'
import { assertAnyWay, assertOpen, checkedNewcomer } from './rules.ts'

type Form = BodyOf<typeof register>

/**
 * Registers a user with a password; the checks come in the order clients know. Throws what is
 * wrong, and then nothing has happened but a guess at the code.
 */
export type Register = (form: Form, visitor: { readonly ip: string }) => Promise<void>

export const createRegister = (parts: RegistrationParts, emailCodes: EmailCodes): Register => {
  const { users, settings, log } = parts

  const provenEmail = async (
    { email, verification_code: code }: Form,
    ip: string,
  ): Promise<ProvenEmail | undefined> => {
    if (!settings().EmailVerificationEnabled) return undefined
    if (email.trim() === '' || code.trim() === '') throw new AppError('email_code_required')
    const proven = await emailCodes.prove({ email, code, userId: 0, ip })
    if (await users.emailTaken(proven.address)) throw new AppError('email_taken')
    return proven
  }

  return async (form, { ip }) => {
    assertOpen(settings())
    assertAnyWay(parts.requiredWays.ofAddress, form.email)
    const { username, password } = checkedNewcomer(form)
    const email = await provenEmail(form, ip)
    const id = await users.welcome({
      username,
      displayName: username,
      password,
      identities: email ? [{ provider: 'email', subject: email.address }] : [],
      affCode: form.aff_code.trim(),
      within: email?.use,
    })
    log.info('user_registered', { user_id: id, username, ip })
    // The user is there already: a key can be made by hand, a second registration cannot.
    await parts.makeFirstToken?.({ id, username, ip }).catch((error: unknown) => {
      log.error('first_token_not_created', { user_id: id, error })
    })
  }
}
