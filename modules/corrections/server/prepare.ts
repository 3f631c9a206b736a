import { channelTestLabel, type leftOutReasons, logType } from '@tollgate/contract'
import { parseJson } from '@tollgate/contract/json'
import { z } from 'zod'
import type { Database } from '#server/db/database.ts'
import { type EffectiveCharge, effectiveCharges } from '#server/ledger/corrections/effective.ts'
import { taskCharges } from '#server/ledger/corrections/task-charges.ts'
import type { CorrectableCall, CorrectionParts } from './ports.ts'
import { addUserSums, type CorrectionCall, type CorrectionFilter, type CorrectionRow } from './store.ts'

/** Calls that the log has as charged, of some models, channels and users. */
export const loggedCalls = ({ query }: Database, { models, channels, users }: CorrectionFilter) => {
  let calls = query.selectFrom('logs').where('type', '=', logType.consume).where('token_name', '!=', channelTestLabel)
  if (models.length > 0) calls = calls.where('model_name', 'in', [...models])
  if (channels.length > 0) calls = calls.where('channel_id', 'in', [...channels])
  if (users.length > 0) calls = calls.where('user_id', 'in', [...users])
  return calls
}

type LeftOut = (typeof leftOutReasons)[number]
type Found = Omit<CorrectionCall, 'id'>

type Parts = Pick<CorrectionParts, 'database' | 'logDatabase' | 'prices'>

/** The next calls of the window that are logged as charged, oldest first. */
const logged = ({ logDatabase }: Parts, row: CorrectionRow, limit: number): Promise<CorrectableCall[]> =>
  loggedCalls(logDatabase, JSON.parse(row.filter) as CorrectionFilter)
    .where('created_at', '>=', Math.max(row.from_time, row.scan_at))
    .where('created_at', '<=', row.to_time)
    .where((eb) => eb.or([eb('created_at', '>', row.scan_at), eb('id', '>', row.scan_id)]))
    .select(['id', 'created_at', 'request_id', 'username', 'token_name', 'model_name', 'group', 'channel_id'])
    .select(['quota', 'prompt_tokens', 'completion_tokens', 'other'])
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit)
    .execute()

const costed = z.object({ admin_info: z.object({ cost: z.object({ quota: z.number() }) }) })

/** True if the record of a call says what it cost upstream. */
const isCosted = (other: string): boolean => costed.safeParse(parseJson(other)).success

const changeOf = (
  call: CorrectableCall,
  charge: EffectiveCharge | undefined,
  row: CorrectionRow,
  { price, isTask }: { price: ReturnType<CorrectionParts['prices']['open']>; isTask: boolean },
): Found | LeftOut => {
  if (charge === undefined) return 'not_charged'
  const receipt = price(call, charge.receipt, { isTask })
  if (typeof receipt === 'string') return receipt
  if (receipt.quota === charge.quota) return 'same'
  return {
    correction_id: row.id,
    request_id: call.request_id,
    replaces: charge.movement,
    user_id: charge.userId,
    token_id: charge.tokenId,
    token_name: call.token_name,
    channel_id: call.channel_id,
    model_name: call.model_name,
    group: call.group,
    called_at: call.created_at,
    old_quota: charge.quota,
    new_quota: receipt.quota,
    costed: Number(isCosted(call.other)),
    receipt: JSON.stringify(receipt),
    state: 'waiting',
  }
}

/**
 * Computes the next calls of a correction anew, in one transaction with how far it is. Answers false when there are no more.
 * Throws RangeError for a price at which a call costs more than a whole number holds.
 */
export const prepareSome = async (parts: Parts, row: CorrectionRow, limit: number): Promise<boolean> => {
  const page = await logged(parts, row, limit)
  const last = page.at(-1)
  if (last === undefined) return false
  const ids = page.map(({ request_id }) => request_id)
  const { query } = parts.database
  const [charges, { tasks, paidBack }] = await Promise.all([effectiveCharges(query, ids), taskCharges(query, ids)])
  const price = parts.prices.open(row.price)
  const found: Found[] = []
  const leftOut = JSON.parse(row.left_out) as Partial<Record<LeftOut, number>>
  for (const call of page) {
    const { request_id: id } = call
    const change = paidBack.has(id)
      ? 'paid_back'
      : changeOf(call, charges.get(id), row, { price, isTask: tasks.has(id) })
    if (typeof change === 'string') leftOut[change] = (leftOut[change] ?? 0) + 1
    else found.push(change)
  }
  await parts.database.transaction(async (trx) => {
    const done = await trx
      .updateTable('corrections')
      .set((eb) => ({
        scan_at: last.created_at,
        scan_id: last.id,
        seen: eb('seen', '+', page.length),
        left_out: JSON.stringify(leftOut),
        calls: eb('calls', '+', found.length),
        old_quota: eb('old_quota', '+', sumOf(found, 'old_quota')),
        new_quota: eb('new_quota', '+', sumOf(found, 'new_quota')),
      }))
      .where('id', '=', row.id)
      .where('state', '=', 'preparing')
      .where('scan_id', '=', row.scan_id)
      .where('scan_at', '=', row.scan_at)
      .executeTakeFirst()
    // Cancelled, or done by another node.
    if (done.numUpdatedRows === 0n || found.length === 0) return
    await parts.database.insertMany('correction_calls', found, { trx })
    await addUserSums(trx, row.id, found, 'found')
  })
  return page.length === limit
}

const sumOf = (calls: readonly Found[], column: 'old_quota' | 'new_quota'): number =>
  calls.reduce((sum, call) => sum + call[column], 0)
