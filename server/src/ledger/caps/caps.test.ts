import { expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { aBegin, aRecord } from '../../../test/support/journal/records.ts'
import { seeded, unreliable } from '../../../test/support/ledger/chance.ts'
import {
  newJournalDirectory,
  newToken,
  newUser,
  openTestLedger,
  type TestLedger,
} from '../../../test/support/ledger/ledger.ts'
import { noUsage } from '../../billing/usage.ts'
import { insertReturningId } from '../../db/dialect.ts'
import { verifyLedger } from '../verify/verify.ts'
import { type CapPeriod, capAccount, capOfAccount } from './cap-accounts.ts'

it('accounts of a cap change with its period, and name it', () => {
  const at = (text: string): number => Date.parse(text)
  const account = (period: CapPeriod, text: string): number => capAccount({ id: 7, period }, at(text))
  expect(account('day', '2026-11-24T23:59:59Z')).not.toBe(account('day', '2026-11-25T00:00:00Z'))
  expect(account('month', '2026-11-01T00:00:00Z')).toBe(account('month', '2026-11-30T23:59:59Z'))
  expect(account('month', '2026-11-30T23:59:59Z')).not.toBe(account('month', '2026-12-01T00:00:00Z'))
  expect(account('total', '2026-11-01T00:00:00Z')).toBe(account('total', '2036-12-01T00:00:00Z'))
  expect(capOfAccount(account('day', '2148-12-31T00:00:00Z'))).toBe(7)
})

/** One token costs one quota unit. */
const price = { ...aBegin('').price, unit: { digits: 1n, scale: 0 } }
const members = 100
const calls = 600
const projectAmount = 9000
const amountOf = (member: number): number => 20 + (member % 7) * 25

describeEachEngine('a wallet of 100 members with caps', (openDatabase) => {
  it('pays to the unit through races, failures, crashes and refunds', async () => {
    const seed = Date.now() % 1_000_000
    const random = seeded(seed)
    const below = (limit: number): number => Math.floor(random() * limit)
    const database = await openDatabase()
    const { directory, remove } = await newJournalDirectory()
    const start = (): Promise<TestLedger> =>
      openTestLedger(unreliable(database, random, 0.03), directory, { warn: () => undefined })

    const preparing = await newJournalDirectory()
    const setUp = await openTestLedger(database, preparing.directory)
    const wallet = await newUser(database, setUp.ledger, 8000)
    const now = Date.parse('2026-11-24T12:00:00Z')
    const newCap = async (subject: 'member' | 'project', subjectId: number, amount: number, period: CapPeriod) => {
      const row = { organisation_id: 1, subject, subject_id: subjectId, period, amount }
      const id = await insertReturningId(database.query, 'spend_caps', row)
      return { id: capAccount({ id, period }, now), of: subject }
    }
    const projectCap = await newCap('project', 1, projectAmount, 'total')
    const keys = await Promise.all(
      Array.from({ length: members }, async (_, member) => ({
        member,
        tokenId: await newToken(database, setUp.ledger, { userId: wallet, remain: 0, unlimited: true }),
        caps: [await newCap('member', member + 1, amountOf(member), 'month'), projectCap],
      })),
    )
    await setUp.crash()
    await preparing.remove()

    let open = await start()
    const charged = new Map<number, number>()
    const charges: { id: string; quota: number }[] = []
    const refusals = new Set<string>()
    const call = async (number: number): Promise<void> => {
      const key = keys[below(keys.length)] ?? expect.fail('no key')
      const amount = below(40)
      const answer = await open.ledger.holds.hold({ userId: wallet, ...key, tokenUnlimited: true, amount })
      if (answer.kind === 'refused') {
        refusals.add(answer.cap?.of ?? answer.account)
        return
      }
      const id = `call-${number}`
      const caps = key.caps.map((cap) => cap.id)
      const common = { userId: wallet, tokenId: key.tokenId, channelId: 0, caps }
      open.ledger.recorder.begin(aBegin(id, { ...common, price }))
      await new Promise(setImmediate)
      const quota = below(amount + 1)
      if (quota > 0 && random() < 0.05) open.ledger.recorder.progress(id, { ...noUsage, input: quota })
      else await open.ledger.recorder.charge(aRecord(id, { ...common, quota }), answer.hold)
      charges.push({ id, quota })
      charged.set(key.member, (charged.get(key.member) ?? 0) + quota)
    }
    const half = async (from: number): Promise<void> => {
      let next = from
      const worker = async (): Promise<void> => {
        while (next < from + calls / 2) await call(next++)
      }
      await Promise.all(Array.from({ length: 40 }, worker))
    }
    await half(0)
    await open.crash()
    open = await start()
    await half(calls / 2)
    await open.crash()
    open = await start()
    await open.ledger.flush()

    const spent = [...charged.values()].reduce((sum, quota) => sum + quota, 0)
    expect(refusals).toContain('member')
    for (const [member, quota] of charged) expect(quota, `seed ${seed}`).toBeLessThanOrEqual(amountOf(member))
    const balance = async (): Promise<number> => {
      const row = await database.query.selectFrom('users').select('quota').where('id', '=', wallet).executeTakeFirst()
      return row?.quota ?? Number.NaN
    }
    const spentOfProject = async (): Promise<number | undefined> => {
      const row = await database.query
        .selectFrom('spend_windows')
        .select('spent')
        .where('id', '=', projectCap.id)
        .executeTakeFirst()
      return row?.spent
    }
    expect([await balance(), await spentOfProject()], `seed ${seed}`).toEqual([8000 - spent, spent])

    const returned = charges.filter(({ quota }) => quota > 0).slice(0, 5)
    for (const { id } of [...returned, ...returned]) {
      const refund = {
        movement: `refund:${id}`,
        requestId: id,
        paid: { userId: wallet, quota: 0 },
        channelId: 0,
        detail: {},
        due: async () => true,
        recorded: async () => undefined,
      }
      for (;;) {
        const done = await open.ledger.movements.refund(refund).then(
          () => true,
          (error: unknown) => !String(error).includes('went away'),
        )
        if (done) break
      }
    }
    const left = spent - returned.reduce((sum, { quota }) => sum + quota, 0)
    expect([await balance(), await spentOfProject()], `seed ${seed}`).toEqual([8000 - left, left])
    expect((await verifyLedger(database)).differences).toEqual([])
    await open.crash()
    await remove()
  })
})
