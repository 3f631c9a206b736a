export const tabNames = [
  'overview',
  'ledger',
  'tokens',
  'usage',
  'limits',
  'invites',
  'sessions',
  'access',
  'audit',
] as const
export type UserTab = (typeof tabNames)[number]

export const tabOf = (text: string | undefined, names: readonly UserTab[]): UserTab =>
  names.find((name) => name === text) ?? 'overview'
