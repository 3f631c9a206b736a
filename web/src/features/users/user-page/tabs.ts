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
export type TabName = (typeof tabNames)[number]

export const tabOf = (text: string | undefined, names: readonly TabName[]): TabName =>
  names.find((name) => name === text) ?? 'overview'
