import { longestPassword, shortestPassword } from '@tollgate/contract/accounts/account-rules'
import { ApiError } from '../../../lib/api/api.ts'
import { type addUser, type BodyInputOf, role } from '../../../lib/api/contract.ts'
import { displayNameProblem, usernameProblem } from '../fields.ts'
import type { SayUser } from '../messages.ts'
import type { SayNewUser } from './messages.ts'

/** Ways in: a link by which the user sets a password, a key for calls, or a password. */
export type Entry = 'invitation' | 'key' | 'password'

/** Amounts are in quota units; `quota` is null for the balance that new users get. */
export interface NewUserValues {
  /** A username, or an address, which has an @. */
  login: string
  displayName: string
  group: string
  isAdmin: boolean
  quota: number | null
  isBudgeted: boolean
  budget: number
  entry: Entry
  password: string
}

export const newUser: NewUserValues = {
  login: '',
  displayName: '',
  group: 'default',
  isAdmin: false,
  quota: null,
  isBudgeted: false,
  budget: 0,
  entry: 'invitation',
  password: '',
}

/** Usernames have no @. */
export const isEmail = (login: string): boolean => login.includes('@')

const emailPattern = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

const loginProblem = (text: string, say: SayNewUser, sayUser: SayUser): string | null => {
  const login = text.trim()
  if (login === '') return say('loginRequired')
  if (isEmail(login)) return emailPattern.test(login) ? null : say('emailInvalid')
  return usernameProblem(login, sayUser)
}

const passwordProblem = (text: string, say: SayNewUser, sayUser: SayUser): string | null => {
  if (text === '') return say('passwordRequired')
  if (text.length < shortestPassword) return sayUser('passwordShort')
  return text.length > longestPassword ? sayUser('passwordLong') : null
}

/** Each field complains about itself alone. */
export const newUserRules = (say: SayNewUser, sayUser: SayUser) => ({
  login: (text: string) => loginProblem(text, say, sayUser),
  displayName: (text: string) => displayNameProblem(text, sayUser),
  budget: (amount: number, values: NewUserValues) => (values.isBudgeted && amount <= 0 ? say('budgetRequired') : null),
  password: (text: string, values: NewUserValues) =>
    values.entry === 'password' ? passwordProblem(text, say, sayUser) : null,
})

/** Body of the call; `zone` is that in which the month of a budget begins. */
export const bodyOf = (values: NewUserValues, zone: string): BodyInputOf<typeof addUser> => {
  const login = values.login.trim()
  const { entry, password } = values
  return {
    ...(isEmail(login) ? { email: login } : { username: login }),
    display_name: values.displayName.trim(),
    group: values.group,
    role: values.isAdmin ? role.admin : role.user,
    ...(values.quota === null ? {} : { quota: values.quota }),
    ...(values.isBudgeted ? { budget: { amount: values.budget, time_zone: zone } } : {}),
    entry: entry === 'password' ? { kind: entry, password } : { kind: entry },
  }
}

const fieldOfError: ReadonlyMap<string, keyof NewUserValues> = new Map<string, keyof NewUserValues>([
  ['username_taken', 'login'],
  ['username_invalid', 'login'],
  ['email_taken', 'login'],
  ['email_invalid', 'login'],
  ['sso_required', 'login'],
  ['display_name_invalid', 'displayName'],
  ['group_unknown', 'group'],
  ['password_invalid', 'password'],
  ['password_too_long', 'password'],
])

/** The field that a refusal is about; undefined where it is about none. */
export const fieldOf = (error: unknown): keyof NewUserValues | undefined =>
  error instanceof ApiError ? fieldOfError.get(error.code) : undefined
