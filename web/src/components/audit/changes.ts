import { ownMember } from '@tollgate/contract/own-member'
import type { AuditEntry } from '../../lib/api/contract.ts'
import { causeText } from '../../lib/text/refusal-text.ts'

/** One field of an object before and after; undefined where it did not exist. */
export interface FieldChange {
  readonly field: string
  readonly before: unknown
  readonly after: unknown
}

type Changes = Pick<AuditEntry, 'before' | 'after' | 'causes'>

/** The fields of an entry, in the order in which they were recorded; causes of the server's own in the reader's language. */
export const changesOf = ({ before, after, causes = {} }: Changes): readonly FieldChange[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].map((field) => ({
    field,
    before: ownMember(before, field),
    after: causeText(ownMember(causes, field)) || ownMember(after, field),
  }))

/** The placeholder of a secret. */
export const hiddenValue = '***'

/** A value as text: words as they are, anything else as JSON, long JSON texts on lines of their own. */
export const valueText = (value: unknown): string => {
  if (typeof value !== 'string') return JSON.stringify(value)
  if (!/^\s*[[{]/.test(value)) return value
  try {
    return JSON.stringify(JSON.parse(value), null, 2)
  } catch {
    return value
  }
}

const longestPart = 40
const short = (value: unknown): string => {
  const text = valueText(value).replace(/\s+/g, ' ')
  return text.length > longestPart ? `${text.slice(0, longestPart)}…` : text
}

/** `weight: 1 → 2`; a field that is new or gone shows its one value. */
export const changeLine = ({ field, before, after }: FieldChange): string => {
  if (before === undefined) return `${field}: ${short(after)}`
  if (after === undefined) return `${field}: ${short(before)}`
  return `${field}: ${short(before)} → ${short(after)}`
}

export const changesText = (entry: Changes): string => changesOf(entry).map(changeLine).join('; ')
