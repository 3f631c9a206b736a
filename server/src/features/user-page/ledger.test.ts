import type { LedgerEntry, LedgerPage } from '@tollgate/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { openUserPageSite, type TestUser, type UserPageSite } from '../../../test/support/features/user-page.ts'

describeEachEngine("a user's ledger", (open) => {
  let site: UserPageSite
  let admin: TestUser
  let user: TestUser

  beforeAll(async () => {
    site = await openUserPageSite(await open())
    admin = await site.person(10)
    user = await site.person(1, 1000)
    await site.person(1, 77)
    const { movements } = site.ledger
    for (let round = 1; round <= 12; round += 1) {
      await site.charge(user, round)
      await site.ledger.flush()
      await movements.adjust({
        userId: user.id,
        amount: 3 * round,
        detail: { by: 1, username: 'root', reason: 'gift' },
      })
    }
    await movements.move({
      id: 'redeem:1',
      gives: [{ account: 'user', accountId: user.id, amount: 500, reason: 'redeem', detail: { key: 'secret-code' } }],
    })
    await movements.move({
      id: 'invited:1',
      gives: [{ account: 'aff', accountId: user.id, amount: 60, reason: 'grant' }],
    })
    await movements.move({
      id: 'transfer:1',
      takes: [{ account: 'aff', accountId: user.id, amount: 25, reason: 'transfer' }],
      gives: [{ account: 'user', accountId: user.id, amount: 25, reason: 'transfer' }],
    })
  })
  afterAll(() => site.close())

  const read = async (query: string, caller = admin, path = `/api/user/${user.id}/ledger`): Promise<LedgerPage> => {
    const { json } = await caller.call('GET', `${path}?${query}`)
    if (json.success !== true) throw new Error(String(json.message))
    return json.data as LedgerPage
  }

  const all = async (query = ''): Promise<LedgerEntry[]> => {
    const found: LedgerEntry[] = []
    for (let before = ''; ; ) {
      const { items, more } = await read(`page_size=4&${query}&before=${before}`)
      found.push(...items)
      if (!more) return found
      before = String(items.at(-1)?.id)
    }
  }

  it('shows every movement once, each with the balance that it led to', async () => {
    const entries = await all()
    expect(entries).toHaveLength(1 + 24 + 1 + 1)
    let balance = 0
    for (const entry of entries.toReversed()) {
      balance += entry.amount
      expect(entry.balance).toBe(balance)
    }
    const stored = await site.database.query.selectFrom('users').select('quota').where('id', '=', user.id).execute()
    expect(stored).toEqual([{ quota: balance }])
  })

  it('keeps the balances right where a filter leaves entries out', async () => {
    const balances = new Map((await all()).map(({ id, balance }) => [id, balance]))
    const gifts = await all('reason=adjust')
    expect(gifts).toHaveLength(12)
    for (const { id, balance } of gifts) expect(balance).toBe(balances.get(id))
    const both = await all('reason=adjust,redeem')
    expect(both).toHaveLength(13)
    for (const { id, balance } of both) expect(balance).toBe(balances.get(id))
  })

  it('pages by entries, so that new movements shift nothing, and back again', async () => {
    const first = await read('page_size=5')
    expect(first).toMatchObject({ total: 27, more: true })
    const edge = first.items.at(-1)?.id ?? 0
    const second = await read(`page_size=5&before=${edge}`)
    await site.ledger.movements.adjust({ userId: user.id, amount: 1 })
    expect(await read(`page_size=5&before=${edge}`)).toEqual({ ...second, total: 28 })
    const back = await read(`page_size=5&after=${second.items[0]?.id}`)
    expect(back.items).toEqual(first.items)
    expect(back.more).toBe(true)
    await site.ledger.movements.adjust({ userId: user.id, amount: -1 })
  })

  it('shows the call of a charge, the actor and reason of an adjustment, and no other detail', async () => {
    const [charge] = await all('reason=charge')
    expect(charge).toMatchObject({ reason: 'charge', amount: -12, request_id: 'request-12', actor_id: 0, note: '' })
    const gift = (await all('reason=adjust')).find(({ amount }) => amount === 36)
    expect(gift).toMatchObject({ actor_id: 1, actor_name: 'root', note: 'gift', request_id: '' })
    expect(gift?.movement).toMatch(/^adjust:/)
    expect(JSON.stringify(await all())).not.toContain('secret-code')
  })

  it('also shows what invitations earned', async () => {
    const { items } = await read('account=aff')
    expect(items.map(({ amount, balance, reason }) => ({ amount, balance, reason }))).toEqual([
      { amount: -25, balance: 35, reason: 'transfer' },
      { amount: 60, balance: 60, reason: 'grant' },
    ])
  })

  it('is open to its owner, without the names of admins', async () => {
    const own = await read('reason=adjust&page_size=100', user, '/api/user/self/ledger')
    expect(own.items).toHaveLength(14)
    expect(own.items.at(-1)).toMatchObject({ amount: 3, note: 'gift', actor_id: 0, actor_name: '' })
    expect(own.items.at(-1)?.balance).toBe(1000 - 1 + 3)
  })

  it.each(['before=x', 'after=-3', 'page_size=abc', 'account=', 'reason='])(
    'reads %s as if it were not there',
    async (query) => {
      const plain = await read('')
      expect(await read(query)).toEqual(plain)
      expect(plain.items).toHaveLength(10)
    },
  )

  it('of a user without movements is empty', async () => {
    const poor = await site.person(1)
    expect(await read('', admin, `/api/user/${poor.id}/ledger`)).toEqual({ items: [], total: 0, more: false })
  })
})
