import fc from 'fast-check'
import { expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { testEgress } from '../../../test/support/features/receiver.ts'
import { aBegin, aRecord } from '../../../test/support/journal/records.ts'
import { newJournalDirectory, newUser, openTestLedger, type TestLedger } from '../../../test/support/ledger/ledger.ts'
import type { Database } from '../../db/database.ts'
import { verifyLedger } from '../../ledger/verify/verify.ts'
import { AppError } from '../../lib/app-error.ts'
import { openSecrets } from '../../lib/security/secrets.ts'
import { openAudit } from '../audit/audit.ts'
import { openRecipients } from '../notices/recipients.ts'
import { openSettings } from '../notices/save-setting.ts'
import { createUserSaver } from '../users/save.ts'
import { createUserStore } from '../users/store.ts'
import { createInvitations } from './invitations.ts'

const perUnit = 10
const begins = { balance: 500, earned: 300 }
const runs = 12

/** One token costs one quota unit, so that a usage of n tokens is a charge of n. */
const price = { ...aBegin('').price, unit: { digits: 1n, scale: 0 } }

const operation = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('charge' as const), amount: fc.nat(60) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('transfer' as const),
      amount: fc.integer({ min: 1, max: 200 }),
      node: fc.nat(1),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('adjust' as const),
      amount: fc.integer({ min: -80, max: 80 }),
      node: fc.nat(1),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('profile' as const), name: fc.stringMatching(/^[a-z]{1,9}$/) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('setting' as const), threshold: fc.integer({ min: 1 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('code' as const) }) },
)
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never

/** Amounts that were moved, as far as answers show. */
interface Done {
  charged: number
  transferred: number
  adjusted: number
}

const refusals: ReadonlySet<string> = new Set(['balance_too_small', 'aff_transfer_minimum', 'aff_quota_short'])

describeEachEngine('a balance', (open) => {
  it('is never restored by a write that read it before', async () => {
    const database = await open()
    const journals = [await newJournalDirectory(), await newJournalDirectory()] as const
    const here = await openTestLedger(database, journals[0].directory)
    const there = await openTestLedger(database, journals[1].directory)
    const everyone = playersOf(database, [here, there])
    let numbers = 0

    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 4, maxLength: 24 }), async (operations) => {
        const userId = await newUser(database, here.ledger, begins.balance)
        const earned = { account: 'aff', accountId: userId, amount: begins.earned, reason: 'grant' } as const
        await here.ledger.movements.move({ id: `grant:${userId}`, gives: [earned] })
        const done: Done = { charged: 0, transferred: 0, adjusted: 0 }
        await Promise.all(
          operations.map((operation) => {
            numbers += 1
            return everyone.play(operation, { userId, id: `operation-${numbers}`, done })
          }),
        )
        await here.ledger.flush()

        const row = await database.query
          .selectFrom('users')
          .select(['quota', 'used_quota', 'aff_quota', 'aff_history_quota'])
          .where('id', '=', userId)
          .executeTakeFirstOrThrow()
        expect(row).toEqual({
          quota: begins.balance - done.charged + done.transferred + done.adjusted,
          used_quota: done.charged,
          aff_quota: begins.earned - done.transferred,
          aff_history_quota: begins.earned,
        })
        expect(row.aff_quota).toBeGreaterThanOrEqual(0)
      }),
      { numRuns: runs },
    )

    expect((await verifyLedger(database)).differences).toEqual([])
    for (const { crash } of [here, there]) await crash()
    for (const { remove } of journals) await remove()
  })
})

const playersOf = (database: Database, nodes: readonly [TestLedger, TestLedger]) => {
  const [{ ledger }] = nodes
  const audit = openAudit(database, Date.now)
  const store = createUserStore(database)
  // Saving a profile asks for nothing but these.
  const saver = createUserSaver({ database, audit, endSessions: async () => {}, userChanged: () => {} } as never, store)
  const settings = openSettings({
    database,
    recipients: openRecipients(database),
    secrets: openSecrets({ cryptoSecret: 'a secret for tests', keyFile: 'unused' }),
    egress: testEgress(),
    audit,
  })
  const movementsOf = (node: number) => (nodes[node] ?? nodes[0]).ledger.movements
  const invitationsOf = (node: number) =>
    createInvitations({
      database,
      ledger: movementsOf(node),
      quotaPerUnit: () => perUnit,
      amountText: String,
      bareAmountText: String,
    })

  const charge = async (amount: number, { userId, id, done }: Play): Promise<void> => {
    const answer = await ledger.holds.hold({ userId, tokenId: 0, amount })
    if (answer.kind === 'refused') return
    ledger.recorder.begin(aBegin(id, { userId, tokenId: 0, channelId: 1, price }))
    await new Promise(setImmediate)
    await ledger.recorder.charge(aRecord(id, { userId, tokenId: 0, channelId: 1, quota: amount }), answer.hold)
    done.charged += amount
  }

  const run = async (operation: Operation, play: Play): Promise<void> => {
    const { userId, done } = play
    switch (operation.kind) {
      case 'charge':
        return charge(operation.amount, play)
      case 'transfer':
        await invitationsOf(operation.node).transfer(userId, operation.amount)
        done.transferred += operation.amount
        return
      case 'adjust':
        await movementsOf(operation.node).adjust({ userId, amount: operation.amount })
        done.adjusted += operation.amount
        return
      case 'profile': {
        const row = await store.byId(userId)
        if (row === undefined) throw new Error('the user is gone')
        await new Promise(setImmediate)
        const by = { id: userId, username: row.username, ip: '' }
        const change = { display_name: operation.name }
        await saver.save(by, row, { action: 'user.update', change, endSessions: false })
        return
      }
      case 'setting':
        await settings.save({ id: userId, ip: '', language: 'zh' }, { quota_warning_threshold: operation.threshold })
        return
      case 'code':
        await invitationsOf(0).code(userId)
    }
  }

  interface Play {
    readonly userId: number
    readonly id: string
    readonly done: Done
  }

  return {
    /** Runs an operation; refusals are part of the game. */
    play: (operation: Operation, play: Play): Promise<void> =>
      run(operation, play).catch((error: unknown) => {
        if (!(error instanceof AppError && refusals.has(error.code))) throw error
      }),
  }
}
