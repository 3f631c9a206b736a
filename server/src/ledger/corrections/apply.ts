import { tokenStatus } from '@tollgate/contract'
import { sql, type Transaction } from 'kysely'
import { fitting } from '../../db/column-lengths.ts'
import type { Database, Row } from '../../db/database.ts'
import { upsert } from '../../db/dialect.ts'
import type { Tables } from '../../db/schema.ts'
import { byId, idChunks } from '../apply/by-id.ts'
import { hourOf } from '../apply/call-groups.ts'
import { addSpent, capsCharged } from '../caps/spend.ts'
import { addMovementHours } from '../movement-hours.ts'
import { writable } from '../tables.ts'
import { addHours, addUsage } from '../usage/hours.ts'
import { entryOf } from '../usage/sums.ts'
import { quotaUsage } from '../usage/usage-of.ts'
import { type CorrectionRecord, correctionOf, type EffectiveCharge, effectiveCharges, reversalOf } from './effective.ts'
import { lockRefunds, taskCharges } from './task-charges.ts'

/** A call that is charged anew. */
export interface CorrectedCall {
  readonly requestId: string
  /** The movement whose charge is reversed. */
  readonly replaces: string
  readonly userId: number
  readonly username: string
  readonly tokenId: number
  readonly tokenName: string
  readonly channelId: number
  readonly model: string
  readonly group: string
  readonly oldQuota: number
  readonly newQuota: number
  /** True if its upstream cost is known, so that its margin follows. */
  readonly costed: boolean
  /** JSON of the new receipt. */
  readonly receipt: string
}

export interface CorrectionOutcome {
  /** Requests that were charged anew. */
  readonly applied: readonly string[]
  /** Requests with another charge by now, because of another correction, or the refund of a failed task. */
  readonly skipped: readonly string[]
}

export interface CorrectionBatch {
  readonly correctionId: number
  /** Some hundred calls at most. */
  readonly calls: readonly CorrectedCall[]
  /** Runs in the transaction, after everything moved. */
  recorded(trx: Transaction<Tables>, outcome: CorrectionOutcome): Promise<void>
}

interface Parts {
  readonly database: Database
  /** True if the hourly figures that existing clients read are collected. */
  readonly hourly: boolean
  /** Unix seconds: corrections are dated when they are made, whenever the calls were. */
  readonly at: number
}

/**
 * Reverses charges and makes new ones inside `trx`, with balances, usage sums and hours. Calls that this correction has charged
 * already are neither applied nor skipped.
 */
export const applyCorrections = async (
  parts: Parts,
  trx: Transaction<Tables>,
  batch: CorrectionBatch,
): Promise<CorrectionOutcome> => {
  const ids = batch.calls.map(({ requestId }) => requestId)
  await lockRefunds(trx, ids)
  const charges = await effectiveCharges(trx, ids)
  const { paidBack } = await taskCharges(trx, ids)
  const applied: CorrectedCall[] = []
  const skipped: string[] = []
  for (const call of batch.calls) {
    const charge = charges.get(call.requestId)
    if (charge?.movement === correctionOf(batch.correctionId, call.requestId)) continue
    const isSame = charge?.movement === call.replaces && charge.quota === call.oldQuota
    if (isSame && !paidBack.has(call.requestId)) applied.push(call)
    else skipped.push(call.requestId)
  }
  if (applied.length > 0) {
    await changeBalances(trx, applied)
    await changeSums(parts, trx, applied)
    await writeEntries(parts, trx, { correctionId: batch.correctionId, calls: applied }, charges)
    await changeCaps(parts, trx, batch.correctionId, applied)
  }
  const outcome = { applied: applied.map(({ requestId }) => requestId), skipped }
  await batch.recorded(trx, outcome)
  return outcome
}

const creditOf = ({ oldQuota, newQuota }: CorrectedCall): number => oldQuota - newQuota

const creditsBy = (calls: readonly CorrectedCall[], id: (call: CorrectedCall) => number): Map<number, number> => {
  const credits = new Map<number, number>()
  for (const call of calls) if (id(call) !== 0) credits.set(id(call), (credits.get(id(call)) ?? 0) + creditOf(call))
  return credits
}

/** In the order in which charges lock rows. */
const changeBalances = async (trx: Transaction<Tables>, calls: readonly CorrectedCall[]): Promise<void> => {
  const on = writable(trx)
  const users = creditsBy(calls, ({ userId }) => userId)
  for (const ids of idChunks(users.keys())) {
    const credit = byId(ids, (id) => users.get(id) ?? 0)
    const set = { quota: sql<number>`quota + ${credit}`, used_quota: sql<number>`used_quota - ${credit}` }
    await on.updateTable('users').set(set).where('id', 'in', ids).execute()
  }
  const tokens = creditsBy(calls, ({ tokenId }) => tokenId)
  for (const ids of idChunks(tokens.keys())) {
    const credit = byId(ids, (id) => tokens.get(id) ?? 0)
    const set = {
      remain_quota: sql<number>`remain_quota + ${credit}`,
      used_quota: sql<number>`used_quota - ${credit}`,
    }
    await on.updateTable('tokens').set(set).where('id', 'in', ids).execute()
    // A token that was switched off because it was spent is not spent any more.
    const credited = ids.filter((id) => (tokens.get(id) ?? 0) > 0)
    if (credited.length > 0) {
      await trx
        .updateTable('tokens')
        .set({ status: tokenStatus.enabled })
        .where('id', 'in', credited)
        .where('status', '=', tokenStatus.exhausted)
        .where('remain_quota', '>', 0)
        .execute()
    }
  }
  const channels = creditsBy(calls, ({ channelId }) => channelId)
  for (const ids of idChunks(channels.keys())) {
    const credit = byId(ids, (id) => channels.get(id) ?? 0)
    const set = { used_quota: sql<number>`used_quota - ${credit}` }
    await on.updateTable('channels').set(set).where('id', 'in', ids).execute()
  }
}

/** Usage, hourly figures and the hours of corrections follow, in the hour of the correction. */
const changeSums = async ({ hourly, at }: Parts, trx: Transaction<Tables>, calls: readonly CorrectedCall[]) => {
  const hour = hourOf(at)
  if (hourly) {
    const sums = new Map<string, Parameters<typeof addHours>[1][number]>()
    for (const call of calls) {
      const model = fitting('quota_data', 'model_name', call.model)
      const { userId, username } = call
      const sum = entryOf(sums, `${userId} ${model}`, () => ({
        userId,
        username,
        model,
        hour,
        tokens: 0,
        count: 0,
        quota: 0,
      }))
      sum.quota -= creditOf(call)
    }
    await addHours(trx, [...sums.values()])
  }
  const usage = quotaUsage(
    at,
    calls.map((call) => ({
      dimensions: {
        user_id: call.userId,
        token_id: call.tokenId,
        token_name: fitting('usage_hours', 'token_name', call.tokenName),
        channel_id: call.channelId,
        group: fitting('usage_hours', 'group', call.group),
        model_name: fitting('usage_hours', 'model_name', call.model),
      },
      quota: 0 - creditOf(call),
      costedQuota: call.costed ? 0 - creditOf(call) : 0,
    })),
  )
  await addUsage(trx, usage)
  const rows = new Map<string, { user_id: number; token_id: number; model_name: string; quota: number }>()
  for (const { at: _, dimensions, quota } of usage.hours) {
    const { user_id, token_id, model_name } = dimensions
    entryOf(rows, `${user_id} ${token_id} ${model_name}`, () => ({ user_id, token_id, model_name, quota: 0 })).quota +=
      quota
  }
  const added = [...rows.values()].map((row) => ({ ...row, created_at: hour }))
  for (let start = 0; start < added.length; start += 250) {
    await upsert(trx, 'correction_hours', added.slice(start, start + 250), {
      key: ['user_id', 'created_at', 'token_id', 'model_name'],
      add: ['quota'],
    })
  }
}

const writeEntries = async (
  { database, at }: Parts,
  trx: Transaction<Tables>,
  { correctionId, calls }: { readonly correctionId: number; readonly calls: readonly CorrectedCall[] },
  charges: ReadonlyMap<string, EffectiveCharge>,
): Promise<void> => {
  const rowOf = (call: CorrectedCall, movement: string, amount: number, receipt: unknown): Row => {
    const detail: CorrectionRecord = {
      correction: correctionId,
      request_id: call.requestId,
      replaces: call.replaces,
      receipt,
    }
    return {
      movement,
      account: 'user',
      account_id: call.userId,
      amount,
      reason: 'correction',
      created_at: at,
      detail: JSON.stringify(detail),
      token_id: call.tokenId === 0 ? null : call.tokenId,
    }
  }
  const rows = calls.flatMap((call) => [
    rowOf(
      call,
      reversalOf(call.replaces),
      call.oldQuota,
      JSON.parse(charges.get(call.requestId)?.receipt ?? '{}') as unknown,
    ),
    rowOf(call, correctionOf(correctionId, call.requestId), 0 - call.newQuota, JSON.parse(call.receipt) as unknown),
  ])
  await database.insertMany('ledger_entries', rows, { trx })
  // A reversal and its new charge count as one movement.
  const changes = calls.map((call) => ({
    account: 'user' as const,
    accountId: call.userId,
    amount: creditOf(call),
    reason: 'correction' as const,
  }))
  await addMovementHours(trx, at, changes)
}

/** Spending caps count the new charge in the window of the call. */
const changeCaps = async (
  { database, at }: Parts,
  trx: Transaction<Tables>,
  correctionId: number,
  calls: readonly CorrectedCall[],
): Promise<void> => {
  const caps = await capsCharged(
    trx,
    calls.map(({ requestId }) => requestId),
  )
  if (caps.size === 0) return
  const spent = new Map<number, number>()
  const rows: Row[] = []
  for (const call of calls) {
    for (const id of caps.get(call.requestId) ?? []) {
      spent.set(id, (spent.get(id) ?? 0) - creditOf(call))
      const common = { account: 'cap', account_id: id, reason: 'correction', created_at: at, detail: '{}' }
      rows.push(
        { ...common, movement: reversalOf(call.replaces), amount: call.oldQuota },
        { ...common, movement: correctionOf(correctionId, call.requestId), amount: 0 - call.newQuota },
      )
    }
  }
  await addSpent(trx, spent)
  await database.insertMany('ledger_entries', rows, { trx })
}
