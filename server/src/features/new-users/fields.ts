import {
  displayNameText,
  type ErrorCode,
  longestPassword,
  longestUsername,
  passwordText,
  usernamePattern,
  usernameText,
} from '@tollgate/contract'
import { z } from 'zod'
import { AppError } from '../../lib/app-error.ts'

// The subject of an identity has 255 characters at most.
const emailText = z.email().max(200)

const checked = <T extends z.ZodType>(schema: T, text: string, code: ErrorCode): z.output<T> => {
  const result = schema.safeParse(text)
  if (!result.success) throw new AppError(code)
  return result.data
}

/** In lower case, as addresses are stored; empty for none. Throws AppError('email_invalid'). */
export const checkedEmail = (text: string): string => {
  const address = text.trim().toLowerCase()
  return address === '' ? '' : checked(emailText, address, 'email_invalid')
}

/** Throws AppError('password_too_long' | 'password_invalid'). */
export const checkedPassword = (text: string): string => {
  if (text.length > longestPassword) throw new AppError('password_too_long', { params: { count: longestPassword } })
  return checked(passwordText, text, 'password_invalid')
}

/** Throws AppError('display_name_invalid'). */
export const checkedDisplayName = (text: string): string => checked(displayNameText, text, 'display_name_invalid')

const mostSuffix = 9999

/**
 * Checks the name that was asked for. Without one it is made of the address: the part before the @, with a number where that is
 * taken. Throws AppError('username_invalid' | 'username_taken').
 */
export const usernameFor = async (
  { username, email }: { username: string; email: string },
  isTaken: (name: string) => Promise<boolean>,
): Promise<string> => {
  if (username.trim() !== '' || email === '') return checked(usernameText, username, 'username_invalid')
  const letters = [...email.slice(0, email.lastIndexOf('@'))].filter((letter) => usernamePattern.test(letter))
  const stem = letters.join('')
  for (let number = 1; number <= mostSuffix; number = number < 9 ? number + 1 : number * 3) {
    const suffix = number === 1 ? '' : String(number)
    const name = `${stem.slice(0, longestUsername - suffix.length)}${suffix}`
    if (usernameText.safeParse(name).success && !(await isTaken(name))) return name
  }
  throw new AppError('username_taken')
}
