import type { Option } from '@tollgate/contract'

export type Facts = Readonly<Record<string, unknown>>

/**
 * A changed option as the audit trail keeps it: maps entry by entry, so that only what differs is kept; never a secret,
 * of which `era` only tells the old one from the new one.
 */
export const auditFacts = (key: string, option: Option<unknown>, value: unknown, era: 'old' | 'new'): Facts => {
  if (option.secret) return { [key]: value === '' ? '' : `*** (${era})` }
  if (option.control !== 'json' || value === null || typeof value !== 'object' || Array.isArray(value)) {
    return { [key]: value }
  }
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [`${key}/${name}`, entry]))
}
