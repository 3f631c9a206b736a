import type { OwnToday } from '#web/lib/api/contract.ts'

/** True if there were calls yesterday or the day before, with which figures are compared. */
export const hasHistory = ({ yesterday, before }: Pick<OwnToday, 'yesterday' | 'before'>): boolean =>
  [yesterday, before].some(({ answered, failures }) => answered + failures > 0)
