import {
  longestDisplayName,
  longestPassword,
  longestReason,
  longestUsername,
  shortestPassword,
  usernamePattern,
} from '@tollgate/contract/accounts/account-rules'
import type { PartsArgument } from '../../lib/api/api.ts'
import type { BodyInputOf, StaffPermissions, setPermissions, User, updateUser } from '../../lib/api/contract.ts'
import type { SayUser } from './messages.ts'

export interface AdjustmentValues {
  /** Quota units to add; negative takes away. */
  delta: number
  reason: string
}

export const noAdjustment: AdjustmentValues = { delta: 0, reason: '' }

export interface UserValues extends AdjustmentValues {
  username: string
  displayName: string
  password: string
  group: string
  /** null for everything that administrators may. */
  permissions: StaffPermissions | null
}

export const valuesOf = (user: User): UserValues => ({
  username: user.username,
  displayName: user.display_name,
  password: '',
  group: user.group,
  permissions: user.permissions,
  ...noAdjustment,
})

const isUsername = (text: string): boolean => text.length <= longestUsername && usernamePattern.test(text)

export const usernameProblem = (text: string, say: SayUser): string | null =>
  isUsername(text.trim()) ? null : say('usernameInvalid')

export const displayNameProblem = (text: string, say: SayUser): string | null =>
  text.trim().length > longestDisplayName ? say('displayNameLong') : null

const passwordProblem = (text: string, say: SayUser): string | null =>
  text.length < shortestPassword ? say('passwordShort') : text.length > longestPassword ? say('passwordLong') : null

/** An adjustment needs a reason and may not take more than there is. `balance` in quota units. */
export const adjustmentRules = (say: SayUser, balance: number) => ({
  delta: (delta: number) => (delta < 0 && balance + delta < 0 ? say('negative') : null),
  reason: (text: string, values: AdjustmentValues) => {
    if (values.delta !== 0 && text.trim() === '') return say('reasonRequired')
    return text.length > longestReason ? say('reasonLong') : null
  },
})

export const userRules = (say: SayUser, balance: number) => ({
  ...adjustmentRules(say, balance),
  username: (text: string) => (text.trim() === '' ? say('usernameRequired') : usernameProblem(text, say)),
  password: (text: string) => (text === '' ? null : passwordProblem(text, say)),
  displayName: (text: string) => displayNameProblem(text, say),
})

/** The fields that adjust the balance; none for an amount of 0. */
export const adjustmentOf = ({ delta, reason }: AdjustmentValues, formId: string) =>
  delta === 0 ? {} : { quota_delta: delta, reason: reason.trim(), adjustment: `${formId}_${delta}` }

/** Only changed fields are sent: unchanged names and passwords need no check by the server. */
export const changeOf = (user: User, values: UserValues, formId: string): BodyInputOf<typeof updateUser> => ({
  id: user.id,
  ...(values.username.trim() === user.username ? {} : { username: values.username.trim() }),
  ...(values.displayName.trim() === user.display_name ? {} : { display_name: values.displayName.trim() }),
  ...(values.password === '' ? {} : { password: values.password }),
  ...(values.group === user.group ? {} : { group: values.group }),
  ...adjustmentOf(values, formId),
})

/** The permissions to set, where the form changed them. */
export const permissionsChange = (
  { id, permissions: before }: User,
  { permissions }: UserValues,
): PartsArgument<typeof setPermissions>[0] | undefined => {
  if (JSON.stringify(permissions) === JSON.stringify(before)) return undefined
  const grant = permissions === null || permissions.set === 'custom' ? permissions : { set: permissions.set }
  return { params: { id }, body: { permissions: grant as BodyInputOf<typeof setPermissions>['permissions'] } }
}
