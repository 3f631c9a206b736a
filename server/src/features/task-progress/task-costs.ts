import type { Receipt } from '@tollgate/contract'
import { parseObject } from '@tollgate/contract/json'
import { dollarsOf } from '../../billing/amounts/dollars.ts'
import type { Database } from '../../db/database.ts'
import { effectiveCharges } from '../../ledger/corrections/effective.ts'
import { taskCharges } from '../../ledger/corrections/task-charges.ts'
import type { TaskBooks } from '../../relay/tasks/ports.ts'

/** Receipts of other times than ours may lack it. */
const usualUnits = '500000'

/** Present cost of the tasks that these requests began: the charge, or its last correction; none if it was paid back. */
export const openTaskCosts =
  ({ query }: Pick<Database, 'query'>): TaskBooks['costs'] =>
  async (requestIds) => {
    const [charges, { paidBack }] = await Promise.all([
      effectiveCharges(query, requestIds),
      taskCharges(query, requestIds),
    ])
    return new Map(
      [...charges].map(([id, charge]) => {
        const { quota_per_unit = usualUnits, call } = parseObject(charge.receipt) as Partial<Receipt>
        const quota = paidBack.has(id) ? 0 : charge.quota
        return [id, { dollars: dollarsOf({ quota, quota_per_unit }), receipt: call === undefined ? undefined : id }]
      }),
    )
  }
