import { ledgerReasons, type Statement } from '@tollgate/contract'
import type { Database } from '#server/db/database.ts'
import { readBalanceMonth } from '#server/ledger/months/balance-month.ts'
import { dateReader, type MonthPeriod, type MonthQuery, zonedMonth } from '#server/ledger/months/months.ts'
import {
  type ChargeSum,
  type MonthSums,
  type MovementSum,
  openMonthSums,
  type Whose,
} from '#server/ledger/months/sums.ts'
import { type Clock, unixSeconds } from '#server/lib/clock.ts'

export interface StatementParts {
  readonly database: Database
  /** Database of the log, which knows the models of calls at the ends of a month that begins within an hour of UTC. */
  readonly logDatabase: Database
  /** Present names of keys. */
  tokenNames(ids: readonly number[]): Promise<ReadonlyMap<number, { readonly name: string }>>
  /** Option QuotaPerUnit. */
  quotaPerUnit(): number
  readonly clock: Clock
}

/** The user of a statement. */
export type StatementOwner = NonNullable<Statement['user']>

/** Makes the statement of a user's month, or of everybody's for no user. */
export type MakeStatement = (owner: StatementOwner | undefined, query: MonthQuery) => Promise<Statement>

export const openStatements = (parts: StatementParts): MakeStatement => {
  const sums = openMonthSums(parts.database, parts.logDatabase)
  return async (owner, query) => {
    const now = unixSeconds(parts.clock)
    const period = zonedMonth(query, now)
    const whose = owner?.id
    const [{ charges, earlierCharges, ...balance }, days, earnings] = await Promise.all([
      readBalanceMonth({ sums, now }, whose, period),
      whose === undefined ? [] : sums.movementHours(whose, period, dateReader(period.zone)),
      earningsOf(sums, whose, period),
    ])
    const models = modelsOf([...charges, ...earlierCharges])
    return {
      user: owner ?? null,
      ...balance,
      charges: models.reduce(plus, nothing),
      models,
      keys: whose === undefined ? [] : await keysOf(charges, parts),
      days: byDay(days.filter(isMovement), period.zone),
      earnings,
      quota_per_unit: parts.quotaPerUnit(),
    }
  }
}

const earningsOf = async (sums: MonthSums, whose: Whose, period: MonthPeriod): Promise<Statement['earnings']> => {
  const [opening, movements] = await Promise.all([
    sums.movedBefore('aff', whose, period.from),
    sums.movements('aff', whose, period),
  ])
  return { opening, closing: opening + amountOf(movements), movements }
}

const amountOf = (movements: readonly MovementSum[]): number => movements.reduce((sum, { amount }) => sum + amount, 0)

const isMovement = ({ reason }: MovementSum): boolean => reason !== 'charge'

type Figures = Statement['charges']
const nothing: Figures = { count: 0, quota: 0, prompt_tokens: 0, completion_tokens: 0 }

const plus = (sum: Figures, more: Figures): Figures => ({
  count: sum.count + more.count,
  quota: sum.quota + more.quota,
  prompt_tokens: sum.prompt_tokens + more.prompt_tokens,
  completion_tokens: sum.completion_tokens + more.completion_tokens,
})

const figuresOf = (charges: readonly ChargeSum[]): Figures =>
  charges
    .map(({ count, quota, promptTokens, completionTokens }) => ({
      count,
      quota,
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens,
    }))
    .reduce(plus, nothing)

const dearestFirst = (a: Figures, b: Figures): number => b.quota - a.quota || b.count - a.count

const modelsOf = (charges: readonly ChargeSum[]): Statement['models'] =>
  [...Map.groupBy(charges, ({ model }) => model)]
    .map(([model, own]) => ({ model, ...figuresOf(own) }))
    .sort(dearestFirst)

/** Keys beyond these are shown by the name that their calls had. */
const mostNamed = 1000

const keysOf = async (
  charges: readonly ChargeSum[],
  { tokenNames }: Pick<StatementParts, 'tokenNames'>,
): Promise<Statement['keys']> => {
  const keys = [...Map.groupBy(charges, ({ tokenId }) => tokenId)]
    .map(([token_id, own]) => ({ token_id, name: own[0]?.tokenName ?? '', ...figuresOf(own) }))
    .sort(dearestFirst)
  const ids = keys.map(({ token_id }) => token_id).filter((id) => id > 0)
  const names = await tokenNames(ids.slice(0, mostNamed))
  return keys.map((key) => ({ ...key, name: names.get(key.token_id)?.name ?? key.name }))
}

const byDay = (hours: readonly (MovementSum & { readonly at: number })[], zone: string): Statement['days'] => {
  const dateOf = dateReader(zone)
  const days = Map.groupBy(hours, ({ at, reason }) => `${dateOf(at)} ${ledgerReasons.indexOf(reason)}`)
  return [...days.values()].flatMap((own) => {
    const [first] = own
    if (first === undefined) return []
    const count = own.reduce((sum, row) => sum + row.count, 0)
    return { at: first.at, reason: first.reason, count, amount: amountOf(own) }
  })
}
