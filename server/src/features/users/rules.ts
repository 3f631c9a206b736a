import { displayNameText, type ErrorCode, longestPassword, passwordText, role, usernameText } from '@tollgate/contract'
import type { z } from 'zod'
import type { UserRow } from '../../db/schema.ts'
import type { RankedActor } from '../../http/actor.ts'
import { AppError } from '../../lib/app-error.ts'

const checked = <T extends z.ZodType>(schema: T, text: string, code: ErrorCode): z.output<T> => {
  const result = schema.safeParse(text)
  if (!result.success) throw new AppError(code)
  return result.data
}

/** Trimmed; 1 to 12 characters without blanks or @, so that no name can pass for an e-mail address. */
export const checkedUsername = (text: string): string => checked(usernameText, text, 'username_invalid')
export const checkedPassword = (text: string): string => {
  if (text.length > longestPassword) {
    throw new AppError('password_too_long', { params: { count: longestPassword } })
  }
  return checked(passwordText, text, 'password_invalid')
}
export const checkedDisplayName = (text: string): string => checked(displayNameText, text, 'display_name_invalid')

/** Only those above may; the root user may act on everybody. */
export const assertAbove = (actor: RankedActor, target: UserRow, refusal: ErrorCode): void => {
  if (actor.role <= target.role && actor.role !== role.root) throw new AppError(refusal)
}

/** Giving others one's own level is refused, although a role in a body is never written. */
export const assertRaise = (actor: RankedActor, newRole: number | undefined): void => {
  if (newRole !== undefined && newRole >= actor.role && actor.role !== role.root)
    throw new AppError('user_raise_denied')
}
