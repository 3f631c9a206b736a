import type { User } from '@tollgate/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { openUserPageSite, type TestUser, type UserPageSite } from '../../../test/support/features/user-page.ts'
import { verifyLedger } from '../../ledger/verify/verify.ts'

const opening = 1_000_000
const operations = 240
const together = 24

/** Numbers from 0 up to 1 that a seed repeats. */
const seeded = (seed: number) => {
  let state = seed
  return (): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return state / 0x80000000
  }
}

describeEachEngine('balances that several admins adjust while calls are charged', (open) => {
  let site: UserPageSite
  let admins: TestUser[]

  beforeAll(async () => {
    site = await openUserPageSite(await open())
    admins = [await site.person(10), await site.person(10), await site.person(100)]
  })
  afterAll(() => site.close())

  it('lose no adjustment, make none twice, and never restore what was spent', async () => {
    const seed = Date.now() % 1_000_000
    console.log(`seed ${seed}`)
    const random = seeded(seed)
    const below = (limit: number): number => Math.floor(random() * limit)
    const adjusted = [await site.person(1, opening), await site.person(1, opening)]
    const rewritten = await site.person(1, opening)
    const expected = new Map([...adjusted, rewritten].map(({ id }) => [id, opening]))
    const moved = (id: number, amount: number) => expected.set(id, (expected.get(id) ?? 0) + amount)
    const pick = <T>(list: readonly T[]): T => list[below(list.length)] ?? expect.fail('an empty list')

    const put = async (body: object): Promise<void> => {
      const { json } = await pick(admins).call('PUT', '/api/user/', body)
      expect(json).toMatchObject({ success: true })
    }
    const charge = async (): Promise<void> => {
      const user = pick([...adjusted, rewritten])
      const quota = below(50)
      moved(user.id, -quota)
      await site.charge(user, quota)
    }
    const adjust = async (number: number): Promise<void> => {
      const { id } = pick(adjusted)
      const quota_delta = below(200) - 100
      moved(id, quota_delta)
      const body = { id, quota_delta, reason: 'a test', adjustment: `adjustment-${number}` }
      // A client that heard nothing sends it again.
      await Promise.all(random() < 0.3 ? [put(body), put(body)] : [put(body)])
    }
    const rename = (number: number): Promise<void> => put({ id: pick(adjusted).id, display_name: `n${number}` })

    /** Reads a whole user, waits while others charge, and sends it back with another name and perhaps more quota. */
    const rewrite = async (number: number): Promise<void> => {
      const { json } = await pick(admins).call('GET', `/api/user/${rewritten.id}`)
      const user = json.data as User
      const more = below(3) * 10
      await charge()
      await site.ledger.flush()
      await put({ ...user, display_name: `r${number}`, quota: user.quota + more, password: '' })
      moved(rewritten.id, more)
    }

    let left = operations
    const worker = async (): Promise<void> => {
      while (left > 0) {
        left -= 1
        const dice = random()
        if (dice < 0.5) await charge()
        else if (dice < 0.85) await adjust(left)
        else await rename(left)
      }
    }
    const rewriter = async (): Promise<void> => {
      for (let number = 0; number < 12; number += 1) await rewrite(number)
    }
    await Promise.all([rewriter(), ...Array.from({ length: together }, worker)])
    await site.ledger.flush()

    for (const [id, quota] of expected) {
      const row = await site.database.query.selectFrom('users').select('quota').where('id', '=', id).execute()
      expect({ id, row }).toEqual({ id, row: [{ quota }] })
    }
    expect((await verifyLedger(site.database)).differences).toEqual([])
  })
})
