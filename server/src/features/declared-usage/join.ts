import type { FeatureKit } from '../../app/parts.ts'
import { every } from '../../jobs/every.ts'
import { type DeclaredUsageParts, openDeclaredUsages } from './declared-usage.ts'
import { declaredUsageRoutes } from './routes.ts'

const lookEveryMs = 60_000

/** Joins declarations of usage that no table knows; answers what stops looking for it. */
export const joinDeclaredUsage = (
  { config, database, declarations, audit, clock, log, on }: FeatureKit,
  needs: Pick<DeclaredUsageParts, 'settle' | 'tell' | 'isPriced'> & { wake(): void },
): (() => void) => {
  const { settle, tell, isPriced, wake } = needs
  const usages = openDeclaredUsages({ database, live: declarations, audit, settle, tell, clock, isPriced })
  declaredUsageRoutes(on, { usages, wake })
  if (config.isSlave) return () => undefined
  return every(
    lookEveryMs,
    () => usages.work(),
    (error) => log.warn('declared_usage_failed', { error }),
  )
}
