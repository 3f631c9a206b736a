import { cardOf, mostNames, type SiteLook, type StoredCard, type TodayRule } from './rule.ts'

/** A notice that failed so often is no accident of one moment. */
const leastAttempts = 2
const mostDeliveries = 1000
const mostKinds = 1000

/** Records of calls that the database refused, on the node that answers. */
const readRefused = async ({ ledger }: SiteLook): Promise<readonly StoredCard[]> => {
  const found = await ledger.refused?.list(1)
  const [first] = found?.records ?? []
  if (found === undefined || first === undefined) return []
  return [cardOf('records_refused', 'bad', [], { count: found.total, reason: first.reason })]
}

/** Parts of answers that no table declares: their calls were charged provisionally. */
const readProvisional = async ({ database }: SiteLook): Promise<readonly StoredCard[]> => {
  const kinds = await database.query
    .selectFrom('declared_usage')
    .select(['name', 'calls', 'quota', 'first_time'])
    .where('declaration', '=', '')
    .orderBy('quota', 'desc')
    .limit(mostKinds)
    .execute()
  if (kinds.length === 0) return []
  return [
    cardOf('provisional', 'warn', [], {
      names: kinds.slice(0, mostNames).map(({ name }) => name),
      count: kinds.reduce((sum, { calls }) => sum + calls, 0),
      total: kinds.length,
      amount: kinds.reduce((sum, { quota }) => sum + quota, 0),
      at: Math.min(...kinds.map(({ first_time: at }) => at)),
    }),
  ]
}

/** Notices that could not be delivered and are tried again. */
const readNotices = async ({ database }: SiteLook): Promise<readonly StoredCard[]> => {
  const waiting = await database.query
    .selectFrom('notice_deliveries')
    .select(['created_time', 'last_error'])
    .where('attempts', '>=', leastAttempts)
    .orderBy('next_time')
    .limit(mostDeliveries)
    .execute()
  if (waiting.length === 0) return []
  const latest = waiting.findLast(({ last_error: error }) => error !== '')
  return [
    cardOf('notices_waiting', 'warn', [], {
      count: waiting.length,
      at: Math.min(...waiting.map(({ created_time: at }) => at)),
      reason: latest?.last_error ?? '',
    }),
  ]
}

/** Changed list prices that wait for a decision. */
const readPrices = async ({ database }: SiteLook): Promise<readonly StoredCard[]> => {
  const versions = await database.query
    .selectFrom('price_versions')
    .select(['id', 'created_at', 'source'])
    .where('status', '=', 'proposed')
    .orderBy('id')
    .limit(mostKinds)
    .execute()
  const [first] = versions
  if (first === undefined) return []
  const changes = await database.query
    .selectFrom('price_changes')
    .select((eb) => eb.fn.countAll<number | string>().as('changes'))
    .where(
      'version_id',
      'in',
      versions.map(({ id }) => id),
    )
    .where('decision', '=', '')
    .executeTakeFirstOrThrow()
  const count = Number(changes.changes)
  if (count === 0) return []
  return [cardOf('prices_proposed', 'note', [], { count, at: first.created_at, detail: first.source })]
}

/** Records, charges, notices and prices that wait for a decision or another try. */
export const recordRules: readonly TodayRule[] = [
  { rule: 'records_refused', area: 'logs', isNoticed: true, read: readRefused },
  { rule: 'provisional', area: 'models', isNoticed: true, read: readProvisional },
  { rule: 'notices_waiting', area: 'settings', read: readNotices },
  { rule: 'prices_proposed', area: 'models', read: readPrices },
]
