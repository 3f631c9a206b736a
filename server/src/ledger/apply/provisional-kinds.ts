import type { Receipt } from '@tollgate/contract'
import { sql, type Transaction } from 'kysely'
import { recompute } from '../../billing/cost.ts'
import { costKind, declaredKey, type Reason } from '../../billing/declared/declarations.ts'
import { settledReceipt } from '../../billing/declared/settle.ts'
import type { UpstreamCost } from '../../billing/upstream/upstream-cost.ts'
import { fitting } from '../../db/column-lengths.ts'
import type { Database } from '../../db/database.ts'
import type { Tables } from '../../db/schema.ts'
import type { JournalRecord } from '../../journal/journal-record.ts'

interface KindSum {
  readonly reason: Reason
  readonly first: JournalRecord
  firstTime: number
  lastTime: number
  calls: number
  quota: number
}

/** All that the asked model used is in question where it has no price; this is what others cost. */
const ofOtherModels = ({ tools, ...receipt }: Receipt): number => {
  const models = receipt.models?.filter(({ asked }) => asked !== true) ?? []
  if (receipt.model === undefined) return models.length === 0 ? 0 : recompute({ ...receipt, lines: [], models })
  return recompute({ ...receipt, ...(tools === undefined ? {} : { tools }), models })
}

/** Part of a charge due to one of its reasons, in quota units. */
const moneyOf = (receipt: Receipt, reason: Reason): number => {
  if (reason.kind === 'price') return receipt.quota - ofOtherModels(receipt)
  // The price difference of a task's version is unknown.
  if (reason.kind === 'version') return receipt.quota
  const without = settledReceipt(receipt, { [declaredKey(reason)]: { as: 'informative' } }, undefined)
  return without === undefined ? 0 : Math.max(0, receipt.quota - recompute(without))
}

interface Finding {
  readonly reason: Reason
  /** Quota units that are in question. */
  readonly quota: number
}

const noFindings: readonly Finding[] = []

/** A cost that its provider states otherwise than the price of the channel computes it: by provider and model. */
const costFinding = (other: string): readonly Finding[] => {
  const { admin_info: info } = JSON.parse(other) as { admin_info?: { cost?: UpstreamCost } }
  const { stated, stated_gap: gap, quota: value } = info?.cost ?? {}
  if (stated === undefined || gap === undefined || value === undefined) return noFindings
  const reason = { kind: costKind, place: stated.provider, name: stated.model, value }
  return [{ reason, quota: Math.abs(gap) }]
}

/** Findings of a call for the operator. A search in the texts rules most calls out without parsing. */
const findingsOf = ({ receipt: printed, other }: JournalRecord): readonly Finding[] => {
  const ofCost = other.includes('"stated_gap":') ? costFinding(other) : noFindings
  if (printed?.includes('"provisional":') !== true) return ofCost
  const receipt = JSON.parse(printed) as Receipt
  const provisional = receipt.provisional ?? []
  return [...ofCost, ...provisional.map((reason) => ({ reason, quota: moneyOf(receipt, reason) }))]
}

const sumsOf = (records: readonly JournalRecord[]): ReadonlyMap<string, KindSum> => {
  const sums = new Map<string, KindSum>()
  for (const record of records) {
    const seconds = Math.floor(record.at / 1000)
    for (const { reason, quota } of findingsOf(record)) {
      const key = fitting('declared_usage', 'kind_key', declaredKey(reason))
      const sum = sums.get(key) ?? { reason, first: record, firstTime: seconds, lastTime: seconds, calls: 0, quota: 0 }
      sum.calls += 1
      sum.quota += quota
      sum.firstTime = Math.min(sum.firstTime, seconds)
      sum.lastTime = Math.max(sum.lastTime, seconds)
      sums.set(key, sum)
    }
  }
  return sums
}

/**
 * Counts provisional charges by what they are provisional for, and stated costs that differ, in the transaction of the charges. Almost every batch has none, and
 * asks the database nothing.
 */
export const addProvisional = async (
  database: Database,
  trx: Transaction<Tables>,
  records: readonly JournalRecord[],
): Promise<void> => {
  const sums = sumsOf(records)
  // The same order in every transaction, so that nodes do not lock each other out.
  const sorted = [...sums].sort(([left], [right]) => (left < right ? -1 : 1))
  for (const [key, { reason, first, firstTime, lastTime, calls, quota }] of sorted) {
    const row = {
      kind_key: key,
      kind: fitting('declared_usage', 'kind', reason.kind),
      place: fitting('declared_usage', 'place', reason.place),
      name: fitting('declared_usage', 'name', reason.name),
      first_time: firstTime,
      last_time: lastTime,
      model_name: fitting('declared_usage', 'model_name', first.model),
      channel_id: first.channelId,
      request_id: fitting('declared_usage', 'request_id', first.id),
      declaration: '',
      declared_by: '',
    }
    await database.insertMany('declared_usage', [row], { trx, skipExisting: true })
    await trx
      .updateTable('declared_usage')
      .set({
        calls: sql<number>`calls + ${calls}`,
        quota: sql<number>`quota + ${quota}`,
        first_time: sql<number>`case when first_time > ${firstTime} then ${firstTime} else first_time end`,
        last_time: sql<number>`case when last_time < ${lastTime} then ${lastTime} else last_time end`,
      })
      .where('kind_key', '=', key)
      .execute()
  }
}
