import type { Statement } from '@tollgate/contract'
import { expect, it } from 'vitest'
import { dateReader } from '#server/ledger/months/months.ts'
import { verifyLedger } from '#server/ledger/verify/verify.ts'
import { describeEachEngine } from '#server-test/support/db/databases.ts'
import { seeded } from '#server-test/support/ledger/chance.ts'
import { openStatementSite, type StatementSite } from '../tests/statement-site.ts'

const months = Array.from({ length: 16 }, (_, index) => new Date(Date.UTC(2025, index, 1)).toISOString().slice(0, 7))
const zones = [
  'UTC',
  'Asia/Shanghai',
  'America/New_York',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Apia',
]
const hour = 3_600
const operations = 500

/** Moves and charges balances in random order through more than a year. */
const live = async (site: StatementSite, seed: number): Promise<number[]> => {
  const random = seeded(seed)
  const below = (limit: number): number => Math.floor(random() * limit)
  let [edges, reached] = [0, 0]
  /** Two days on at most; but it stays for some minutes where a month begins in some zone. */
  const next = (now: number): number => {
    if (edges > 0) {
      edges -= 1
      return now + below((hour / 6) * 1000)
    }
    const then = now + below(2 * 24 * hour * 1000)
    const month = Date.UTC(new Date(then).getUTCFullYear(), new Date(then).getUTCMonth(), 1)
    if (month <= now || month === reached) return then
    ;[edges, reached] = [8, month]
    const ahead = [5.5, 5.75, 8, 10.5, 11][below(5)] ?? 0
    return Math.max(now, month - (ahead + 0.5) * hour * 1000)
  }
  // The latest charge, three days back, is still in the first month of every zone.
  site.state.now = Date.UTC(2025, 0, 6)
  const people = [await site.newUser(10_000), await site.newUser(0), await site.newUser(77)]
  for (let number = 0; number < operations; number += 1) {
    site.state.now = next(site.state.now)
    const userId = people[below(people.length)] ?? expect.fail('nobody')
    if (random() < 0.7) {
      // A call may reach the database long after its end.
      const late = edges === 0 && random() < 0.1 ? below(3 * 24 * hour * 1000) : 0
      await site.charge(userId, below(50), { at: site.state.now - late, model: `m${below(3)}`, tokenId: 0 })
      continue
    }
    const reason = (['topup', 'redeem', 'adjust', 'grant'] as const)[below(4)]
    await site.ledger.movements
      .adjust({ movement: `move:${number}`, userId, amount: below(300) - 60, ...(reason ? { reason } : {}) })
      .catch((error: unknown) => expect(error).toMatchObject({ code: 'balance_too_small' }))
  }
  await site.ledger.flush()
  return people
}

const amounts = ({ movements, charges }: Statement): number =>
  movements.reduce((sum, { amount }) => sum + amount, 0) - charges.quota

/** How many rows have a name, and what they come to. */
const sumsBy = <R extends { readonly quota: number; readonly count?: number }>(
  rows: readonly R[],
  nameOf: (row: R) => string,
): Record<string, { count: number; quota: number }> => {
  const sums: Record<string, { count: number; quota: number }> = {}
  for (const row of rows) {
    const name = nameOf(row)
    const { count, quota } = sums[name] ?? { count: 0, quota: 0 }
    sums[name] = { count: count + (row.count ?? 1), quota: quota + row.quota }
  }
  return sums
}

describeEachEngine('statements of random movements', (open) => {
  it('tie to the ledger to the unit, chain month by month, and add up to the site', async () => {
    const database = await open()
    const site = await openStatementSite(database)
    const seed = Date.now() % 1_000_000
    console.log(`seed ${seed}`)
    const people = await live(site, seed)
    const entries = await database.query
      .selectFrom('ledger_entries')
      .selectAll()
      .where('account', '=', 'user')
      .execute()
    const logged = await database.query.selectFrom('logs').select(['request_id', 'model_name']).execute()
    const models = new Map(logged.map(({ request_id, model_name }) => [request_id, model_name]))
    /** Balance of an account at a moment, from its entries. */
    const balanceAt = (userId: number, at: number): number =>
      entries
        .filter(({ account_id, created_at }) => account_id === userId && created_at < at)
        .reduce((sum, { amount }) => sum + amount, 0)

    for (const zone of zones) {
      const closings = new Map<string, number>()
      for (const month of months) {
        const own = await Promise.all(people.map((id) => site.read(`user/${id}`, month, zone)))
        const all = await site.read('site', month, zone)
        for (const [index, statement] of [...own, all].entries()) {
          const id = people[index]
          const { from, to, opening, closing } = statement
          const ids = id === undefined ? people : [id]
          const balance = (at: number): number => ids.reduce((sum, one) => sum + balanceAt(one, at), 0)
          expect({ zone, month, id, opening, closing }).toEqual({
            zone,
            month,
            id,
            opening: balance(from),
            closing: balance(to),
          })
          expect(opening + amounts(statement)).toBe(closing)
          expect(opening).toBe(closings.get(String(id)) ?? 0)
          closings.set(String(id), closing)
          const calls = entries.filter(
            ({ reason, account_id, created_at }) =>
              reason === 'charge' && ids.includes(account_id) && created_at >= from && created_at < to,
          )
          expect(statement.charges.count).toBe(calls.length)
          expect(statement.models.reduce((sum, { quota }) => sum + quota, 0)).toBe(statement.charges.quota)
          expect(sumsBy(statement.models, ({ model }) => model)).toEqual(
            sumsBy(
              calls.map(({ movement, amount }) => ({ model: models.get(movement) ?? '', quota: 0 - amount })),
              ({ model }) => model,
            ),
          )
          if (id === undefined) continue
          const moved = entries.filter(
            ({ reason, account_id, created_at }) =>
              reason !== 'charge' && account_id === id && created_at >= from && created_at < to,
          )
          const dateOf = dateReader(zone)
          const byDay = (at: number, reason: string): string => `${dateOf(at)} ${reason}`
          expect(
            sumsBy(
              statement.days.map((day) => ({ ...day, quota: day.amount })),
              ({ at, reason }) => byDay(at, reason),
            ),
          ).toEqual(
            sumsBy(
              moved.map((entry) => ({ ...entry, quota: entry.amount })),
              ({ created_at, reason }) => byDay(created_at, reason),
            ),
          )
        }
      }
      const june = await site.read('site', '2025-06', zone)
      const [head = [], ...lines] = (await site.csv('site', '2025-06', zone))
        .trimEnd()
        .split('\r\n')
        .map((line) => line.split(','))
      const cell = (line: readonly string[] | undefined, name: string) => line?.[head.indexOf(name)]
      for (const id of [...people, 'total']) {
        const line = lines.find(([first]) => first === String(id))
        const month = id === 'total' ? june : await site.read(`user/${id}`, '2025-06', zone)
        const figures = ['opening', 'calls', 'charges', 'closing'].map((name) => cell(line, name))
        const { opening, charges, closing } = month
        expect({ zone, id, figures }).toEqual({
          zone,
          id,
          figures: [opening, charges.count, 0 - charges.quota, closing].map(String),
        })
        const topups = month.movements.find(({ reason }) => reason === 'topup')?.amount ?? 0
        expect(cell(line, 'topup')).toBe(String(topups))
      }
    }
    const last = await site.read('site', '2030-01')
    const { quota } = await database.query
      .selectFrom('users')
      .select(({ fn }) => fn.sum('quota').as('quota'))
      .executeTakeFirstOrThrow()
    expect(last.closing).toBe(Number(quota))
    expect((await verifyLedger(database)).differences).toEqual([])
    await site.close()
  }, 180_000)
})
