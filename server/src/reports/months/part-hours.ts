import { channelTestLabel, logType } from '@tollgate/contract'
import { type SqlBool, sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { LedgerEntriesTable } from '../../db/schema.ts'
import { noTotal, type Seconds, splitRange, type UsageTotal } from '../usage/usage.ts'
import type { MonthPeriod } from './months.ts'

/** Entries of one account and reason. */
export interface EntrySum {
  readonly accountId: number
  readonly reason: LedgerEntriesTable['reason']
  readonly count: number
  /** Signed quota units. */
  readonly amount: number
}

/** Charges of one model and key. */
export interface PartCharge extends UsageTotal {
  /** Empty where the log does not have the calls. */
  readonly model: string
  /** 0 for the playground. */
  readonly token: number
  readonly label: string
}

const hour = 3_600

/** The hour's part before a moment; undefined where the moment is a whole hour. */
export const partBefore = (at: number): Seconds | undefined =>
  at % hour === 0 ? undefined : { from: at - (at % hour), to: at - 1 }

/** An expression, so that no engine takes the index of the account, which knows no time. */
const isOf = (userId: number) => sql<SqlBool>`account_id + 0 = ${sql.lit(userId)}`

/** The whole hours of a period. */
export const wholeHours = ({ from, to }: MonthPeriod): MonthPeriod => ({
  from: Math.ceil(from / hour) * hour,
  to: to - (to % hour),
})

/** The parts of hours at both ends of a period. */
export const edgesOf = ({ from, to }: MonthPeriod): readonly Seconds[] =>
  splitRange({ from, to: to - 1 }, 'usage_days').edges

/** Sum of the entries whose reason fits. */
export const amountOf = (sums: readonly EntrySum[], fits: (reason: EntrySum['reason']) => boolean): number =>
  sums.reduce((all, { reason, amount }) => (fits(reason) ? all + amount : all), 0)

/** True if the usage sums have entries of a reason. */
export const isUsage = (reason: EntrySum['reason']): boolean => reason === 'charge' || reason === 'correction'

/**
 * Sums the entries of less than an hour one by one: sums by the hour do not know them. They are found along their time, so
 * the cost is that of the site's calls in that time, whoever is asked about. `whose` undefined means everybody.
 */
export const sumEntries = async (
  { query }: Database,
  account: 'user' | 'aff',
  whose: number | undefined,
  { from, to }: Seconds,
): Promise<EntrySum[]> => {
  let rows = query
    .selectFrom('ledger_entries')
    .where('created_at', '>=', from)
    .where('created_at', '<=', to)
    .where('account', '=', account)
  if (whose !== undefined) rows = rows.where(isOf(whose))
  const found = await rows
    .groupBy(['account_id', 'reason'])
    .select((eb) => ['account_id', 'reason', eb.fn.countAll().as('entries'), eb.fn.sum('amount').as('amount')])
    .execute()
  return found.map(({ account_id, reason, entries, amount }) => ({
    accountId: account_id,
    reason,
    amount: Number(amount),
    // A reversal and its new charge count as one movement.
    count: reason === 'correction' ? Number(entries) / 2 : Number(entries),
  }))
}

/** Charges of less than an hour by model and, for one user, by key. The amounts are the ledger's; models and tokens are the log's. */
export const sumPartCharges = async (
  parts: { readonly database: Database; readonly logDatabase: Database },
  whose: number | undefined,
  span: Seconds,
): Promise<PartCharge[]> => {
  const charged = await ledgerCharges(parts.database, whose, span)
  if (charged.length === 0) return []
  const logged = Map.groupBy(await logCharges(parts.logDatabase, whose, span), ({ token }) => token)
  return charged.flatMap((sum) => {
    const own = logged.get(sum.token) ?? []
    const unknown = { ...noTotal, model: '', label: '' }
    const count = sum.count - own.reduce((all, part) => all + part.count, 0)
    const quota = sum.quota - own.reduce((all, part) => all + part.quota, 0)
    // The log may lack calls. Where it has more than the ledger, its lines are not those of the charges.
    if (count < 0 || quota < 0) return [{ ...unknown, ...sum }]
    return count === 0 && quota === 0 ? own : [...own, { ...unknown, token: sum.token, count, quota }]
  })
}

const ledgerCharges = async ({ query }: Database, whose: number | undefined, { from, to }: Seconds) => {
  const rows = query
    .selectFrom('ledger_entries')
    .where('created_at', '>=', from)
    .where('created_at', '<=', to)
    .where('account', '=', 'user')
    .where('reason', '=', 'charge')
    .select(({ fn }) => [fn.countAll().as('entries'), fn.sum('amount').as('amount')])
  const found =
    whose === undefined
      ? await rows.select(sql<number | null>`null`.as('token_id')).execute()
      : await rows.where(isOf(whose)).groupBy('token_id').select('token_id').execute()
  return found
    .map(({ token_id, entries, amount }) => ({
      token: Number(token_id ?? 0),
      count: Number(entries),
      quota: 0 - Number(amount ?? 0),
    }))
    .filter(({ count }) => count > 0)
}

const logCharges = async (
  { query }: Database,
  whose: number | undefined,
  { from, to }: Seconds,
): Promise<PartCharge[]> => {
  const rows = query
    .selectFrom('logs')
    .where('type', '=', logType.consume)
    .where('created_at', '>=', from)
    .where('created_at', '<=', to)
    .where((eb) => eb.or([eb('token_id', '<>', 0), eb('token_name', '<>', channelTestLabel)]))
    .select(({ fn }) => [
      ...(['model_name'] as const),
      ...[fn.max('token_name').as('label'), fn.countAll().as('calls'), fn.sum('quota').as('quota')],
      ...[fn.sum('prompt_tokens').as('prompt'), fn.sum('completion_tokens').as('completion')],
    ])
  const found =
    whose === undefined
      ? await rows.groupBy('model_name').select(sql<number>`0`.as('token_id')).execute()
      : await rows.where('user_id', '=', whose).groupBy(['model_name', 'token_id']).select('token_id').execute()
  return found.map((row) => ({
    ...noTotal,
    model: row.model_name,
    token: Number(row.token_id),
    label: whose === undefined ? '' : row.label,
    count: Number(row.calls),
    quota: Number(row.quota),
    promptTokens: Number(row.prompt),
    completionTokens: Number(row.completion),
  }))
}
