import type { DatabaseAddress } from '../../../server/src/db/database.ts'
import { openDatabase } from '../../../server/src/db/engines/open.ts'
import type { Finished } from './load.ts'
import { judgeStated, type StatedSummary } from './stated-costs.ts'
import type { Served } from './upstream.ts'

export interface Reconciliation extends StatedSummary {
  /** Complete answers without exactly one charge. */
  readonly lost: number
  /** Requests with more than one charge or log row. */
  readonly doubled: number
  readonly charges: number
  readonly interrupted: number
  /** How far the lowest balance is below zero. */
  readonly belowZero: number
  /** How far the key that overran its limit most is beyond it. */
  readonly beyondLimit: number
  /** The largest charge. */
  readonly dearest: number
  /** How much does not agree, and the first of it in sentences. */
  readonly problemCount: number
  readonly problems: readonly string[]
}

const chargeRow = 2
const errorRow = 5
const mostProblems = 40

const sum = (numbers: Iterable<number>): number => {
  let total = 0
  for (const number of numbers) total += number
  return total
}

const addTo = (sums: Map<number, number>, id: number, amount: number): void => {
  sums.set(id, (sums.get(id) ?? 0) + amount)
}

const readRows = async (address: DatabaseAddress) => {
  const database = await openDatabase(address)
  const { query } = database
  const rows = {
    entries: await query
      .selectFrom('ledger_entries')
      .select(['movement', 'account', 'account_id', 'amount', 'reason', 'token_id'])
      .execute(),
    logs: await query
      .selectFrom('logs')
      .select(['request_id', 'type', 'quota', 'user_id', 'token_id', 'channel_id', 'content', 'tags'])
      .where('type', 'in', [chargeRow, errorRow])
      .execute(),
    users: await query.selectFrom('users').select(['id', 'quota', 'used_quota', 'request_count']).execute(),
    tokens: await query.selectFrom('tokens').select(['id', 'used_quota', 'remain_quota', 'unlimited_quota']).execute(),
    channels: await query.selectFrom('channels').select(['id', 'used_quota']).execute(),
    hours: await query.selectFrom('usage_hours').select(['count', 'quota']).execute(),
  }
  await database.close()
  return rows
}

/**
 * Compares what clients received and what the upstream served with ledger, logs, balances and counters, without the
 * server's own code for any of these sums. `credits` is what users were given, by id. The servers must have stopped.
 */
export const reconcile = async (
  address: DatabaseAddress,
  credits: ReadonlyMap<number, number>,
  finished: readonly Finished[],
  served: ReadonlyMap<string, Served>,
): Promise<Reconciliation> => {
  const { entries, logs, users, tokens, channels, hours } = await readRows(address)
  const problems: string[] = []
  const equal = (what: string, found: number, expected: number): void => {
    if (found !== expected) problems.push(`${what}: ${found} instead of ${expected}`)
  }

  const charges = new Map<string, number>()
  const [byUser, byToken, callsByUser] = [
    new Map<number, number>(),
    new Map<number, number>(),
    new Map<number, number>(),
  ]
  let doubled = 0
  for (const { movement, account, account_id, amount, reason, token_id } of entries) {
    if (reason !== 'charge' || account !== 'user') continue
    if (charges.has(movement)) {
      doubled += 1
      problems.push(`${movement} is charged twice`)
    }
    charges.set(movement, -Number(amount))
    addTo(byUser, account_id, -Number(amount))
    addTo(callsByUser, account_id, 1)
    if (token_id !== null) addTo(byToken, token_id, -Number(amount))
  }

  const logged = new Map<string, (typeof logs)[number]>()
  /** Requests by the calls that their tags name. */
  const tagged = new Map<string, string>()
  const byChannel = new Map<number, number>()
  for (const row of logs) {
    const other = logged.get(row.request_id)
    if (other !== undefined) {
      doubled += 1
      problems.push(`${row.request_id} has rows of the types ${other.type} and ${row.type}`)
    }
    logged.set(row.request_id, row)
    const [, mark] = /call=(call-\d+)/.exec(row.tags ?? '') ?? []
    if (mark !== undefined) tagged.set(mark, row.request_id)
    if (row.type !== chargeRow) continue
    addTo(byChannel, row.channel_id, Number(row.quota))
    equal(`log of ${row.request_id}`, Number(row.quota), charges.get(row.request_id) ?? Number.NaN)
  }
  for (const [id, amount] of charges) {
    if (logged.get(id)?.type !== chargeRow) problems.push(`the charge ${id} of ${amount} has no row in the log`)
    if (!Number.isSafeInteger(amount) || amount < 0) problems.push(`the charge ${id} is ${amount}`)
  }

  const requestOf = ({ mark, outcome }: Finished): string => outcome.requestId || (tagged.get(mark) ?? '')
  const stated = judgeStated(finished, charges, requestOf, problems)
  let lost = 0
  let headless = 0
  const seen = new Map<string, string>()
  for (const call of finished) {
    const { mark, kind, outcome } = call
    const { status } = outcome
    const requestId = requestOf(call)
    if (requestId === '') headless += 1
    const charge = charges.get(requestId)
    const name = `${kind.name} (${mark}, ${requestId}, ${status})`
    if (requestId !== '' && seen.has(requestId)) problems.push(`${name} has the request id of ${seen.get(requestId)}`)
    seen.set(requestId, mark)
    if (outcome.kind === 'complete') {
      if (charge === undefined) {
        lost += 1
        problems.push(`${name} was answered and not charged`)
      } else if (kind.cost !== undefined) equal(`charge of ${name}`, charge, kind.cost)
      // Conversion may drop the part of an attack that carries the mark.
      if (kind.cost !== undefined && (served.get(mark)?.completed ?? 0) === 0)
        problems.push(`${name} was answered, but the upstream never completed it`)
    }
    if (outcome.kind === 'refused') {
      if (charge !== undefined && charge > 0) problems.push(`${name} was refused and charged ${charge}`)
      if (status >= 500 && status !== 503 && status !== 502 && status !== 504)
        problems.push(`${name} was refused with a fault of the server: ${outcome.text.slice(0, 200)}`)
    }
  }

  // Charges that no client can name belong to calls that broke off before their head, one each.
  const unnamed = [...charges.keys()].filter((id) => !seen.has(id)).length
  if (unnamed > headless) problems.push(`${unnamed} charges for ${headless} calls without a head`)
  const unmarked = served.get('')?.received ?? 0
  const reached = finished.filter(({ mark }) => (served.get(mark)?.received ?? 0) > 0).length + unmarked
  const paid = [...charges.values()].filter((amount) => amount > 0).length
  if (paid > reached) problems.push(`${paid} charges for ${reached} calls that reached the upstream`)

  for (const { id, quota, used_quota, request_count } of users) {
    const spent = byUser.get(id) ?? 0
    equal(`used_quota of user ${id}`, Number(used_quota), spent)
    equal(`request_count of user ${id}`, Number(request_count), callsByUser.get(id) ?? 0)
    const credit = credits.get(id)
    if (credit !== undefined) equal(`balance of user ${id}`, Number(quota), credit - spent)
  }
  for (const { id, used_quota } of tokens) equal(`used_quota of token ${id}`, Number(used_quota), byToken.get(id) ?? 0)
  for (const { id, used_quota } of channels)
    equal(`used_quota of channel ${id}`, Number(used_quota), byChannel.get(id) ?? 0)
  equal('quota of all hours', sum(hours.map(({ quota }) => Number(quota))), sum(charges.values()))
  equal('calls of all hours', sum(hours.map(({ count }) => Number(count))), charges.size)

  const lowest = Math.min(0, ...users.filter(({ id }) => credits.has(id)).map(({ quota }) => Number(quota)))
  const overruns = tokens.map((token) => (token.unlimited_quota === 1 ? 0 : -Number(token.remain_quota)))
  return {
    ...stated,
    lost,
    doubled,
    charges: charges.size,
    interrupted: logs.filter(({ content }) => content === 'interrupted').length,
    belowZero: 0 - lowest,
    beyondLimit: Math.max(0, ...overruns),
    dearest: Math.max(0, ...charges.values()),
    problemCount: problems.length,
    problems: problems.slice(0, mostProblems),
  }
}
