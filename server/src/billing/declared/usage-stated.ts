import { noUsage, type Usage, withUnknown } from '../usage.ts'
import type { UsageDialect } from './meanings.ts'
import { unknownMembers } from './unknown-members.ts'

type Counts = Partial<Pick<Usage, 'input' | 'output' | 'cacheRead' | 'reasoning' | 'more' | 'measures'>>

const isAnything = (count: unknown): boolean =>
  typeof count === 'number' ? count > 0 : Object.keys(count ?? {}).length > 0

/**
 * The usage that a report states: the counts that were read of it, and what of it no table declares. undefined where both are nothing,
 * so that the caller counts.
 */
export const usageStated = (dialect: UsageDialect, report: unknown, counts: Counts = {}): Usage | undefined => {
  const unknown = unknownMembers(dialect, report)
  if (unknown === undefined && !Object.values(counts).some(isAnything)) return undefined
  return withUnknown({ ...noUsage, ...counts }, unknown)
}

/** The usage with what else a report states that no table declares; undefined where there is neither. */
export const markedBy = (usage: Usage | undefined, dialect: UsageDialect, report: unknown): Usage | undefined => {
  const also = usageStated(dialect, report)
  if (also?.unknown === undefined) return usage
  if (usage === undefined) return also
  const marked = withUnknown(usage, also.unknown)
  return usage.unknown === undefined ? marked : { ...marked, unknown: [...usage.unknown, ...also.unknown] }
}

/** The numbers that stand at the top of an answer without an object for its usage. */
export const numbersIn = (answer: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(answer).filter(([, value]) => typeof value === 'number'))
