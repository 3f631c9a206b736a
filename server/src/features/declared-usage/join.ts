import { declareUsage, listDeclaredUsage } from '@tollgate/contract'
import type { FeatureKit } from '../../app/parts.ts'
import { actorOf } from '../../http/actor.ts'
import type { On } from '../../http/route.ts'
import { every } from '../../jobs/every.ts'
import {
  type DeclaredUsageParts,
  type DeclaredUsages,
  openDeclaredUsages,
  type ProvisionalSettling,
} from './declared-usage.ts'

/** The calls for parts of answers that no table declares; `wake` begins at once to charge calls anew. */
const declaredUsageRoutes = (on: On, { usages, wake }: { usages: DeclaredUsages; wake(): void }): void => {
  on(listDeclaredUsage, async ({ query }) => ({ data: await usages.list(query) }))
  on(declareUsage, async (call) => {
    const data = await usages.declare(actorOf(call), call.params.id, call.body)
    wake()
    return { data }
  })
}

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
