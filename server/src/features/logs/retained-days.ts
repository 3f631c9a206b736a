import { type LogPage, logType } from '@tollgate/contract'
import type { LogFilter } from './filter.ts'
import type { LogRetention } from './purges.ts'

const day = 86_400

const isOf = (kind: keyof LogRetention, type: number | undefined): boolean => {
  if (!type) return true
  if (type === logType.consume) return kind === 'charged'
  return kind === (type === logType.error ? 'failed' : 'other')
}

/**
 * How long rows of a filter are kept, of the kinds that its range reaches further back than; undefined for none. Kinds whose rows
 * leave the table before they would be deleted are still found, so they are left out.
 */
export const keptDaysOf = (
  retention: LogRetention,
  { type, from = 0 }: Pick<LogFilter, 'type' | 'from'>,
  now: number,
  isMoved: (days: number) => boolean = () => false,
): LogPage['kept_days'] => {
  const kinds = (['charged', 'failed', 'other'] as const).filter(
    (kind) =>
      isOf(kind, type) && retention[kind] > 0 && !isMoved(retention[kind]) && from < now - retention[kind] * day,
  )
  return kinds.length === 0 ? undefined : Object.fromEntries(kinds.map((kind) => [kind, retention[kind]]))
}
