import { expect, it, onTestFinished } from 'vitest'
import { describeEachAddress } from '../../../test/support/db/databases.ts'
import { fillFromTemplate } from '../../../test/support/db/fill-from-template.ts'
import { seeded } from '../../../test/support/ledger/chance.ts'
import { newJournalDirectory, newToken, newUser, openTestLedger } from '../../../test/support/ledger/ledger.ts'
import { type LedgerProcess, openLedgerProcess, type ProcessCall } from '../../../test/support/ledger/ledger-process.ts'
import { redisHere, testRedis } from '../../../test/support/lib/redis.ts'
import { insertReturningId } from '../../db/dialect.ts'
import { openDatabase } from '../../db/engines/open.ts'
import type { HeldCap } from '../../relay/ports.ts'
import { openEpoch } from '../epoch/stored-epoch.ts'
import { openRedisAccounts } from '../holds/holds-redis.ts'
import { verifyLedger } from '../verify/verify.ts'
import { capAccount } from './cap-accounts.ts'

// A file without a test fails.
if (!redisHere) it.skip('There is no redis-server here: caps of several nodes are not tested', () => undefined)

/** More with CAP_ROUNDS: a round is 90 calls, 30 at a time at each node. */
const rounds = Number(process.env.CAP_ROUNDS ?? 12)
const members = 100
const callsAtOnce = 30
const opening = 12_000
const memberAmount = (member: number): number => 60 + (member % 7) * 25
const projectAmounts = [5000, 4000]
const now = Date.parse('2026-11-24T12:00:00Z')
/** Longer than it takes to start a killed node again: until then what it held stays held. */
const graceMs = 120_000

interface Key {
  readonly member: number
  tokenId: number
  project: number
}

if (redisHere) {
  describeEachAddress('a wallet of 100 members on three nodes that are killed', (place, engine) => {
    it('is paid to the unit, within every cap, through races, kills, moves, transfers and refunds', async () => {
      const seed = Number(process.env.CAP_SEED ?? Date.now() % 1_000_000)
      const random = seeded(seed)
      const below = (limit: number): number => Math.floor(random() * limit)
      const address = await place()
      await fillFromTemplate(address)
      const database = await openDatabase(address)
      onTestFinished(() => database.close())
      const redis = await testRedis()
      await redis.start()
      onTestFinished(redis.stop)
      const directoryOf = async (): Promise<string> => {
        const { directory, remove } = await newJournalDirectory()
        onTestFinished(remove)
        return directory
      }
      const common = { redisUrl: redis.url, graceMs, beatMs: 50 }
      const own = { url: redis.url, nodeName: 'console', epoch: await openEpoch(database), warn: () => undefined }
      const console_ = await openTestLedger(database, await directoryOf(), {
        openAccounts: (parts) => openRedisAccounts({ ...parts, ...own, graceMs, beatMs: 50 }),
      })
      onTestFinished(console_.crash)
      const { ledger } = console_
      const wallet = await newUser(database, ledger, opening)
      const person = await newUser(database, ledger, 5000)
      const newCap = async (subject: 'member' | 'project', subjectId: number, amount: number): Promise<HeldCap> => {
        const row = { organisation_id: 1, subject, subject_id: subjectId, period: 'total', amount }
        const id = await insertReturningId(database.query, 'spend_caps', row)
        return { id: capAccount({ id, period: 'total' }, now), of: subject }
      }
      const projectCaps: HeldCap[] = []
      for (const [index, amount] of projectAmounts.entries())
        projectCaps.push(await newCap('project', index + 1, amount))
      const memberCaps: HeldCap[] = []
      const keys: Key[] = []
      for (let member = 0; member < members; member += 1) {
        memberCaps.push(await newCap('member', member + 1, memberAmount(member)))
        const isLimited = member % 4 === 0
        const token = { userId: wallet, remain: isLimited ? 80 : 0, unlimited: !isLimited }
        keys.push({ member, project: member % 2, tokenId: await newToken(database, ledger, token) })
      }
      const start = (nodeName: string, directory: string): Promise<LedgerProcess> =>
        openLedgerProcess({ address, directory, nodeName, delayMs: 20, ...common })
      const nodes: { name: string; directory: string; process: LedgerProcess }[] = []
      for (const name of ['north', 'south', 'east'].slice(0, engine === 'sqlite' ? 2 : 3)) {
        const directory = await directoryOf()
        nodes.push({ name, directory, process: await start(name, directory) })
      }
      onTestFinished(async () => {
        for (const { process } of nodes) await process.kill()
      })

      const asked = new Map<string, ProcessCall & { member: number; project: number }>()
      const charged: string[] = []
      const figures = { refused: 0, kills: 0, moves: 0, transfers: 0, refunds: 0 }
      let paidIn = 0
      const callOf = (): ProcessCall => {
        const key = keys[below(keys.length)] ?? expect.fail('no key')
        const caps = [memberCaps[key.member], projectCaps[key.project]].filter((cap) => cap !== undefined)
        const amount = below(30) + 1
        const call = { userId: wallet, tokenId: key.tokenId, caps, amount, quota: below(amount + 1) }
        const named = { ...call, name: `call-${asked.size}` }
        asked.set(named.name, { ...named, member: key.member, project: key.project })
        return named
      }
      const callAll = async (node: (typeof nodes)[number], isToDie: boolean): Promise<void> => {
        const list = Array.from({ length: callsAtOnce }, callOf)
        const answers = node.process.calls(list)
        if (isToDie) {
          figures.kills += 1
          const wait = below(40)
          await new Promise((resolve) => setTimeout(resolve, wait))
          const [known] = await Promise.all([answers.catch(() => []), node.process.kill()])
          note(list, known)
          node.process = await start(node.name, node.directory)
          return
        }
        note(list, await answers)
      }
      const note = (list: readonly ProcessCall[], answers: readonly boolean[]): void => {
        for (const [index, isCharged] of answers.entries()) {
          const call = list[index]
          if (!isCharged) figures.refused += 1
          else if (call !== undefined && call.quota > 0) charged.push(call.name)
        }
      }
      /** Concurrent edits in the console. */
      const govern = async (): Promise<void> => {
        const key = keys[below(keys.length)] ?? expect.fail('no key')
        const before = key.tokenId
        key.tokenId = await ledger.movements.moveToken({
          tokenId: before,
          begin: async (trx) => {
            const row = await trx.selectFrom('tokens').selectAll().where('id', '=', before).executeTakeFirstOrThrow()
            const { id: _, used_quota: _used, remain_quota: _remain, ...columns } = row
            await trx
              .updateTable('tokens')
              .set({ key_hash: `moved ${before}` })
              .where('id', '=', before)
              .execute()
            return insertReturningId(trx, 'tokens', columns)
          },
        })
        key.project = 1 - key.project
        figures.moves += 1
        const amount = below(300) + 1
        const [from, to] = below(2) === 0 ? [person, wallet] : [wallet, person]
        const transfer = { account: 'user', reason: 'transfer', amount } as const
        const takes = [{ ...transfer, accountId: from }]
        const gives = [{ ...transfer, accountId: to }]
        const isMade = await ledger.movements.move({ id: `transfer-${figures.moves}`, takes, gives }).catch(() => false)
        if (isMade) {
          figures.transfers += 1
          paidIn += to === wallet ? amount : -amount
        }
      }
      for (let round = 0; round < rounds; round += 1) {
        const dies = round % 3 === 2 ? below(nodes.length) : -1
        await Promise.all([...nodes.map((node, index) => callAll(node, index === dies)), govern()])
      }
      for (const { process } of nodes) await process.flush()
      const returned = charged.slice(0, 8)
      for (const id of [...returned, ...returned]) {
        const refund = { movement: `refund:${id}`, requestId: id, paid: { userId: wallet, quota: 0 }, channelId: 0 }
        const done = { due: async () => true, recorded: async () => undefined }
        if (await ledger.movements.refund({ ...refund, ...done, detail: {} })) figures.refunds += 1
      }

      const entries = await database.query
        .selectFrom('ledger_entries')
        .select(['movement', 'amount', 'reason'])
        .where('account', '=', 'user')
        .where('account_id', '=', wallet)
        .orderBy('id')
        .execute()
      const charges = entries.filter(({ reason }) => reason === 'charge')
      const hint = `seed ${seed}`
      // Calls cost no more than they held, so no transfer may take what they need.
      let running = 0
      for (const { amount } of entries) {
        running += amount
        expect(running, hint).toBeGreaterThanOrEqual(0)
      }
      // Each answered call is charged once and with what it cost; of those whose node was killed, some are.
      const amounts = new Map(charges.map(({ movement, amount }) => [movement, 0 - amount]))
      expect(amounts.size, hint).toBe(charges.length)
      expect(
        charged.filter((name) => amounts.get(name) !== asked.get(name)?.quota),
        hint,
      ).toEqual([])
      for (const [name, amount] of amounts) expect([name, amount], hint).toEqual([name, asked.get(name)?.quota])
      const spentBy = (fits: (call: { member: number; project: number }) => boolean): number =>
        [...amounts].reduce((sum, [name, amount]) => {
          const call = asked.get(name)
          return call !== undefined && fits(call) ? sum + amount : sum
        }, 0)
      for (let member = 0; member < members; member += 1)
        expect(
          spentBy((call) => call.member === member),
          `${hint} member ${member}`,
        ).toBeLessThanOrEqual(memberAmount(member))
      for (const [project, amount] of projectAmounts.entries())
        expect(
          spentBy((call) => call.project === project),
          hint,
        ).toBeLessThanOrEqual(amount)
      const back = entries.filter(({ reason }) => reason === 'refund').reduce((sum, { amount }) => sum + amount, 0)
      const spent = spentBy(() => true)
      const balance = await database.query
        .selectFrom('users')
        .select('quota')
        .where('id', '=', wallet)
        .executeTakeFirst()
      expect(balance?.quota, hint).toBe(opening + paidIn - spent + back)
      const windows = await database.query
        .selectFrom('spend_windows')
        .select(['id', 'spent'])
        .where(
          'id',
          'in',
          projectCaps.map(({ id }) => id),
        )
        .execute()
      expect(
        windows.reduce((sum, window) => sum + window.spent, 0),
        hint,
      ).toBe(spent - back)
      expect(figures.refunds, hint).toBe(returned.length)
      expect((await verifyLedger(database)).differences, hint).toEqual([])
      console.log(
        JSON.stringify({
          engine,
          seed,
          nodes: nodes.length,
          calls: asked.size,
          charged: charges.length,
          spent,
          ...figures,
        }),
      )
    }, 300_000)
  })
}
