import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { describeEachEngine } from '../../test/support/db/databases.ts'
import { aBegin, aRecord } from '../../test/support/journal/records.ts'
import { seeded, unreliable } from '../../test/support/ledger/chance.ts'
import {
  newJournalDirectory,
  newToken,
  newUser,
  openTestLedger,
  type TestLedger,
} from '../../test/support/ledger/ledger.ts'
import { noUsage } from '../billing/usage.ts'
import type { Database } from '../db/database.ts'
import type { RequestBegin } from '../relay/ports.ts'
import { verifyLedger } from './verify/verify.ts'

const operations = 10_500
const runs = 7
const together = 40

/** One token costs one quota unit, so that a usage of n tokens is a charge of n. */
const price = { ...aBegin('').price, unit: { digits: 1n, scale: 0 } }

interface Person {
  readonly id: number
  readonly tokens: number[]
  /** Never charged more than was held: whatever is debited, the balance must never be below 0. */
  readonly strict: boolean
}

describeEachEngine('a ledger under random load', (openDatabase) => {
  it(`stays right through ${operations} operations, failures and restarts`, async () => {
    const seed = Date.now() % 1_000_000
    console.log(`seed ${seed}`)
    const random = seeded(seed)
    const below = (limit: number): number => Math.floor(random() * limit)
    const database = await openDatabase()
    const { directory, remove } = await newJournalDirectory()
    const start = (): Promise<TestLedger> =>
      openTestLedger(unreliable(database, random, 0.04), directory, { warn: () => undefined })
    let open = await start()
    const people: Person[] = []
    const preparing = await newJournalDirectory()
    const setUp = await openTestLedger(database, preparing.directory)
    for (let index = 0; index < 12; index += 1) {
      const id = await newUser(database, setUp.ledger, 3000)
      const tokens = [0]
      for (const unlimited of [true, false]) {
        tokens.push(await newToken(database, setUp.ledger, { userId: id, remain: 1500, unlimited }))
      }
      people.push({ id, tokens, strict: index % 3 !== 0 })
    }
    await setUp.crash()
    await preparing.remove()

    const charges = new Map<string, number>()
    const failures = new Set<string>()
    let refused = 0
    let number = 0

    const turns = async (): Promise<void> => {
      for (let left = below(4); left > 0; left -= 1) await new Promise(setImmediate)
    }
    const pick = <T>(list: readonly T[]): T => list[below(list.length)] ?? expect.fail('an empty list')

    const call = async (mayHang: boolean): Promise<void> => {
      const { ledger } = open
      number += 1
      const id = `request-${number}`
      const person = pick(people)
      const tokenId = pick(person.tokens)
      const amount = below(40)
      const answer = await ledger.holds.hold({ userId: person.id, tokenId, amount })
      if (answer.kind === 'refused') {
        refused += 1
        return
      }
      const heldAt = Date.now()
      const begin: RequestBegin = aBegin(id, { at: heldAt, userId: person.id, tokenId, channelId: 1, price })
      ledger.recorder.begin(begin)
      await turns()
      const used = below(person.strict ? amount + 1 : amount + 10)
      if (mayHang && random() < 0.02) {
        ledger.recorder.progress(id, { ...noUsage, input: used })
        if (used > 0) charges.set(id, used)
        else failures.add(id)
        return
      }
      const common = { at: Date.now(), userId: person.id, tokenId, channelId: 1 }
      if (random() < 0.15) {
        answer.hold.release()
        await ledger.recorder.fail(aRecord(id, { ...common, kind: 'error', quota: 0, receipt: undefined }))
        failures.add(id)
        return
      }
      const record = aRecord(id, { ...common, quota: used })
      charges.set(id, used)
      await ledger.recorder.charge(record, answer.hold, heldAt)
      if (random() < 0.1) await ledger.recorder.charge(record, answer.hold, heldAt)
    }

    /** Repeats a movement under its id until it is known to be made, as a client would. */
    const surely = async (movement: () => Promise<unknown>): Promise<void> => {
      for (;;) {
        try {
          await movement()
          return
        } catch (error) {
          if (!String(error).includes('went away')) throw error
        }
      }
    }

    const move = async (): Promise<void> => {
      const { movements } = open.ledger
      number += 1
      const movement = `adjust:${number}`
      const person = pick(people)
      const amount = below(60)
      const debit = random() < 0.4
      const change = { movement, userId: person.id, amount: debit ? -amount : amount }
      await surely(() => movements.adjust(change)).catch((error: unknown) => {
        expect(error).toMatchObject({ code: 'balance_too_small' })
      })
      const tokenId = pick(person.tokens)
      if (tokenId !== 0) await surely(() => movements.adjustToken({ movement: `${movement}t`, tokenId, amount }))
    }

    const operate = async (mayHang: boolean): Promise<void> => {
      const dice = random()
      if (dice < 0.9) return call(mayHang)
      if (dice < 0.98) return move()
      const person = pick(people)
      const remain = below(500)
      await surely(async () => {
        const id = await newToken(database, open.ledger, { userId: person.id, remain })
        person.tokens.push(id)
      })
    }

    for (let run = 1; run <= runs; run += 1) {
      let left = operations / runs
      const worker = async (): Promise<void> => {
        while (left > 0) {
          left -= 1
          await operate(run < runs)
        }
      }
      await Promise.all(Array.from({ length: together }, worker))
      if (run === runs) break
      await open.crash()
      open = await start()
    }
    await open.ledger.flush()

    expect(refused).toBeGreaterThan(0)
    expect((await verifyLedger(database)).differences).toEqual([])
    await expectEachOnce(database, charges, failures)
    await expectNeverBelowZero(database, people)
    await expectCountersToAgree(database, charges, failures)
    await expectHoldsToAgree(database, open, people)
    await open.crash()
    await remove()
  }, 180_000)
})

const expectEachOnce = async (
  database: Database,
  charges: ReadonlyMap<string, number>,
  failures: ReadonlySet<string>,
): Promise<void> => {
  const entries = await database.query
    .selectFrom('ledger_entries')
    .select(['movement', 'amount'])
    .where('account', '=', 'user')
    .where('reason', '=', 'charge')
    .execute()
  expect(new Map(entries.map(({ movement, amount }) => [movement, 0 - amount]))).toEqual(charges)
  expect(entries).toHaveLength(charges.size)
  const logs = await database.query.selectFrom('logs').select(['request_id', 'quota', 'type']).execute()
  expect(logs).toHaveLength(charges.size + failures.size)
  for (const { request_id, quota, type } of logs) {
    if (type === 5) expect(failures.has(request_id)).toBe(true)
    else expect(quota).toBe(charges.get(request_id))
  }
}

const expectNeverBelowZero = async (database: Database, people: readonly Person[]): Promise<void> => {
  const entries = await database.query
    .selectFrom('ledger_entries')
    .select(['account', 'account_id', 'amount', 'token_id'])
    .orderBy('id')
    .execute()
  const strict = people.filter((person) => person.strict)
  const users = new Set(strict.map(({ id }) => id))
  const limited = new Set(strict.flatMap(({ tokens }) => tokens.filter((_, index) => index !== 1)))
  const balances = new Map<string, number>()
  let lowest = 0
  const move = (name: string, amount: number): void => {
    const balance = (balances.get(name) ?? 0) + amount
    balances.set(name, balance)
    lowest = Math.min(lowest, balance)
  }
  for (const { account, account_id, amount, token_id } of entries) {
    if ((account === 'user' ? users : limited).has(account_id)) move(`${account} ${account_id}`, amount)
    if (token_id !== null && limited.has(token_id)) move(`token ${token_id}`, amount)
  }
  expect(lowest).toBe(0)
}

const expectCountersToAgree = async (
  database: Database,
  charges: ReadonlyMap<string, number>,
  failures: ReadonlySet<string>,
): Promise<void> => {
  const sum = [...charges.values()].reduce((total, quota) => total + quota, 0)
  const counted = [...charges.values()].filter((quota) => quota > 0).length
  const { rows } = await sql<Record<string, number | string>>`
    select (select sum(request_count) from users) as requests, (select sum(quota) from quota_data) as hours,
      (select sum(${sql.ref('count')}) from quota_data) as hourly`.execute(database.query)
  expect(rows.map(({ requests, hours, hourly }) => [requests, hours, hourly].map(Number))).toEqual([
    [counted, sum, charges.size],
  ])
  for (const table of ['usage_hours', 'usage_days', 'usage_site_days', 'usage_user_periods'] as const) {
    const { rows } = await sql<Record<string, number | string>>`
      select sum(quota) as quota, sum(${sql.ref('count')}) as calls, sum(prompt_tokens) as prompt, sum(failures) as failures
      from ${sql.table(table)}`.execute(database.query)
    const [used = {}] = rows
    expect([used.quota, used.calls, used.prompt].map(Number), table).toEqual([sum, charges.size, sum])
    expect(Number(used.failures), table).toBe(failures.size)
  }
}

/** Holds and database agree: exactly the balance can be held, and not one unit more. */
const expectHoldsToAgree = async (
  database: Database,
  { ledger }: TestLedger,
  people: readonly Person[],
): Promise<void> => {
  for (const { id } of people) {
    const { quota } = await database.query
      .selectFrom('users')
      .select('quota')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const hold = (amount: number) => ledger.holds.hold({ userId: id, tokenId: 0, amount })
    expect(await hold(Math.max(0, quota) + 1)).toMatchObject({ kind: 'refused', remain: quota })
    if (quota > 0) expect(await hold(quota)).toMatchObject({ kind: 'held' })
  }
}
