import { declareUsage, listDeclaredUsage } from '@tollgate/contract'
import { actorOf } from '../../http/actor.ts'
import type { On } from '../../http/route.ts'
import type { DeclaredUsages } from './declared-usage.ts'

/** The calls for parts of answers that no table declares; `wake` begins at once to charge calls anew. */
export const declaredUsageRoutes = (on: On, { usages, wake }: { usages: DeclaredUsages; wake(): void }): void => {
  on(listDeclaredUsage, async ({ query }) => ({ data: await usages.list(query) }))
  on(declareUsage, async (call) => {
    const data = await usages.declare(actorOf(call), call.params.id, call.body)
    wake()
    return { data }
  })
}
