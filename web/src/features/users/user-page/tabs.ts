export const tabNames = ['overview', 'ledger', 'tokens', 'usage', 'invites', 'sessions', 'audit'] as const
export type TabName = (typeof tabNames)[number]

export const tabOf = (text: string | undefined): TabName => tabNames.find((name) => name === text) ?? 'overview'
