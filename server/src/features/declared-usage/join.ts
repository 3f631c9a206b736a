import type { FeatureKit } from '../../app/parts.ts'
import { every } from '../../jobs/every.ts'
import { type DeclaredUsageParts, openDeclaredUsages, type ProvisionalSettling } from './declared-usage.ts'
import { declaredUsageRoutes } from './routes.ts'

const lookEveryMs = 60_000

/** Joins declarations of usage that no table knows; answers what stops looking for it. */
export const joinDeclaredUsage = (
  { config, database, declarations, audit, clock, log, on }: FeatureKit,
  {
    settlings,
    tell,
    isPriced,
  }: Pick<DeclaredUsageParts, 'tell' | 'isPriced'> & { settlings: readonly ProvisionalSettling[] },
): (() => void) => {
  const usages = openDeclaredUsages({ database, live: declarations, audit, settlings, tell, clock, isPriced })
  const wake = (): void => {
    for (const settling of settlings) settling.wake()
  }
  declaredUsageRoutes(on, { usages, wake })
  if (config.isSlave) return () => undefined
  return every(
    lookEveryMs,
    () => usages.work(),
    (error) => log.warn('declared_usage_failed', { error }),
  )
}
