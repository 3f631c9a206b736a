import { longestNewPassword, shortestPassword } from '@tollgate/contract/accounts/account-rules'
import type { useRegisterMessages } from './messages.ts'

export const names = ['username', 'password', 'password2', 'email', 'verification_code'] as const
export type FieldName = (typeof names)[number]
export type RegisterValues = Readonly<Record<FieldName, string>>

/** The values of the form; a password keeps its spaces. */
export const valuesIn = (form: HTMLFormElement): RegisterValues => {
  const data = new FormData(form)
  const read = (name: FieldName): string => String(data.get(name) ?? '')
  return {
    username: read('username').trim(),
    password: read('password'),
    password2: read('password2'),
    email: read('email').trim(),
    verification_code: read('verification_code').trim(),
  }
}

type Word = Parameters<ReturnType<typeof useRegisterMessages>>[0]

/** The first field that is wrong and why. */
export const firstWrong = (
  values: RegisterValues,
  { withEmail }: { withEmail: boolean },
): [FieldName, Word] | undefined => {
  if (values.username === '') return ['username', 'missing']
  if (values.password === '') return ['password', 'missing']
  if (values.password.length < shortestPassword) return ['password', 'short']
  if (values.password.length > longestNewPassword) return ['password', 'long']
  if (values.password !== values.password2) return ['password2', 'different']
  if (withEmail && values.email === '') return ['email', 'emailMissing']
  if (withEmail && values.verification_code === '') return ['verification_code', 'codeMissing']
  return undefined
}
