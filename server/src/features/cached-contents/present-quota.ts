import { receipt } from '@tollgate/contract'
import type { Transaction } from 'kysely'
import { recompute } from '../../billing/cost.ts'
import type { Tables } from '../../db/schema.ts'
import { parsedJson } from '../../dialects/conversation/json.ts'
import type { EffectiveCharge } from '../../ledger/corrections/effective.ts'
import { storageTool } from '../../relay/cached-contents/payments.ts'

/** Quota units that keeping a content is of a receipt; 0 where it cannot be read. */
const storageIn = (text: string): number => {
  const read = receipt.safeParse(parsedJson(text))
  if (!read.success) return 0
  const { tools = [], ...rest } = read.data
  const others = tools.filter(({ tool }) => tool !== storageTool)
  return Math.max(0, recompute(read.data) - recompute({ ...rest, tools: others }))
}

/** Refund of a charge that was corrected since: the same share of the present price of keeping the content. Rounded down. */
export const presentQuota = async (
  trx: Transaction<Tables>,
  { request_id: requestId, quota }: { readonly request_id: string; readonly quota: number },
  charge: EffectiveCharge,
): Promise<number> => {
  if (charge.movement === requestId) return quota
  const first = await trx
    .selectFrom('ledger_entries')
    .select('detail')
    .where('movement', '=', requestId)
    .where('account', '=', 'user')
    .executeTakeFirst()
  const before = storageIn(first?.detail ?? '')
  return before === 0 ? quota : Number((BigInt(quota) * BigInt(storageIn(charge.receipt))) / BigInt(before))
}
