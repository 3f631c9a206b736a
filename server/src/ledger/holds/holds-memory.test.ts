import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSerialQueue } from '../../lib/serial-queue.ts'
import type { Hold, HoldAnswer, HoldRequest } from '../../relay/ports.ts'
import type { AccountBalance, AccountKind, Accounts, Charging, ReadBalances } from './accounts.ts'
import { openMemoryAccounts } from './holds-memory.ts'

const accountBalance = (
  account: AccountKind,
  id: number,
  balance: number,
  more: Partial<AccountBalance> = {},
): AccountBalance => ({
  account,
  id,
  balance,
  version: 0,
  unlimited: false,
  ...more,
})

const openWith = (...stored: AccountBalance[]): { accounts: Accounts; reads: number[][] } => {
  const reads: number[][] = []
  const read: ReadBalances = async (names) => {
    reads.push(names.map(({ id }) => id))
    return stored.filter((one) => names.some(({ account, id }) => one.account === account && one.id === id))
  }
  return { accounts: openMemoryAccounts({ queue: createSerialQueue(), read }), reads }
}

const request = (amount: number, more: Partial<HoldRequest> = {}): HoldRequest => ({
  userId: 1,
  tokenId: 0,
  amount,
  ...more,
})

/** A call that was charged. */
const charge = (quota: number, hold?: Hold): Charging => ({ userId: 1, tokenId: 0, quota, hold })

const held = (answer: HoldAnswer): Hold => {
  if (answer.kind === 'refused') throw new Error(`refused: ${answer.account}`)
  return answer.hold
}

describe('holds in memory', () => {
  it('are answered at once when the accounts are known', async () => {
    const { accounts, reads } = openWith(accountBalance('user', 1, 100))
    await accounts.hold(request(10))
    expect(accounts.hold(request(10))).not.toBeInstanceOf(Promise)
    expect(reads).toHaveLength(1)
  })

  it('never give out more than the balance, however many come together', async () => {
    const { accounts, reads } = openWith(accountBalance('user', 1, 100))
    const answers = await Promise.all(Array.from({ length: 50 }, () => accounts.hold(request(10))))
    expect(answers.filter(({ kind }) => kind === 'held')).toHaveLength(10)
    expect(reads).toHaveLength(1)
  })

  it('are counted while they are open, and with what they reserve', async () => {
    const { accounts } = openWith(accountBalance('user', 1, 100))
    const [first, second, third] = [
      held(await accounts.hold(request(10))),
      held(await accounts.hold(request(20))),
      held(await accounts.hold(request(30))),
    ]
    expect(accounts.open()).toEqual({ count: 3, quota: 60 })
    first.release()
    first.release()
    accounts.charging(charge(25, second))
    accounts.charging(charge(5))
    expect(accounts.open()).toEqual({ count: 1, quota: 30 })
    third.release()
    await accounts.committed([{ hold: second }], [])
    expect(accounts.open()).toEqual({ count: 0, quota: 0 })
  })

  it('are refused with what remains and what is needed', async () => {
    const { accounts } = openWith(accountBalance('user', 1, 100))
    held(await accounts.hold(request(60)))
    expect(await accounts.hold(request(50))).toEqual({ kind: 'refused', account: 'user', remain: 40, need: 50 })
  })

  it('are refused at a balance of 0 even for nothing', async () => {
    const { accounts } = openWith(accountBalance('user', 1, 0))
    expect(await accounts.hold(request(0))).toMatchObject({ kind: 'refused', account: 'user' })
  })

  it('are refused for a user that does not exist', async () => {
    const { accounts } = openWith()
    expect(await accounts.hold(request(0))).toMatchObject({ kind: 'refused', remain: 0 })
  })

  it('count against the token too, unless it is unlimited', async () => {
    const { accounts } = openWith(
      accountBalance('user', 1, 100),
      accountBalance('token', 7, 15),
      accountBalance('token', 8, -5, { unlimited: true }),
    )
    held(await accounts.hold(request(10, { tokenId: 7 })))
    expect(await accounts.hold(request(10, { tokenId: 7 }))).toMatchObject({ account: 'token', remain: 5, need: 10 })
    held(await accounts.hold(request(10, { tokenId: 8 })))
    held(await accounts.hold(request(10, { tokenId: 7, tokenUnlimited: true })))
  })

  it('count against spending caps too, and say which one refused', async () => {
    const caps = [
      { id: 7, of: 'member' },
      { id: 8, of: 'project' },
      { id: 9, of: 'member' },
    ] as const
    const { accounts } = openWith(
      accountBalance('user', 1, 100),
      accountBalance('cap', 7, 50),
      accountBalance('cap', 8, 30),
      accountBalance('cap', 9, 0, { unlimited: true }),
    )
    const first = held(await accounts.hold(request(20, { caps })))
    expect(await accounts.hold(request(20, { caps }))).toMatchObject({ account: 'cap', remain: 10, cap: caps[1] })
    accounts.charging({ ...charge(25, first), caps: [7, 8] })
    expect(await accounts.hold(request(26, { caps: [caps[0]] }))).toMatchObject({ remain: 25, cap: caps[0] })
    expect(await accounts.hold(request(75))).toMatchObject({ kind: 'held' })
  })

  it('are refused where not enough is spared, and granted where an overdraft is tolerated', async () => {
    const { accounts } = openWith(accountBalance('user', 1, 100), accountBalance('token', 7, 60))
    expect(await accounts.hold(request(60, { spare: 41 }))).toMatchObject({ account: 'user', remain: 100, need: 60 })
    expect(await accounts.hold(request(50, { tokenId: 7, spare: 11 }))).toMatchObject({ account: 'token', remain: 60 })
    held(await accounts.hold(request(120, { spare: -20 })))
    expect(await accounts.hold(request(1, { spare: -30 }))).toMatchObject({ account: 'user', remain: -20 })
  })

  it('may grow into an overdraft while their call runs, and no further', async () => {
    const { accounts } = openWith(accountBalance('user', 1, 100))
    held(await accounts.hold(request(100)))
    held(await accounts.hold(request(10, { spare: -30, more: true })))
    held(await accounts.hold(request(20, { spare: -30, more: true })))
    expect(await accounts.hold(request(1, { spare: -30, more: true }))).toMatchObject({ remain: -30, need: 1 })
  })

  it('take nothing from the user when the token refuses', async () => {
    const { accounts } = openWith(accountBalance('user', 1, 100), accountBalance('token', 7, 15))
    await accounts.hold(request(90, { tokenId: 7 }))
    held(await accounts.hold(request(100)))
  })

  it('give back once, and not after their charge', async () => {
    const { accounts } = openWith(accountBalance('user', 1, 100))
    const first = held(await accounts.hold(request(60)))
    first.release()
    first.release()
    const second = held(await accounts.hold(request(100)))
    accounts.charging(charge(70, second))
    second.release()
    accounts.charging(charge(1, second))
    expect(await accounts.hold(request(100))).toMatchObject({ remain: 30 })
  })

  it('keep a charge counted until it is in the database', async () => {
    const { accounts } = openWith(accountBalance('user', 1, 100))
    const charged = charge(80, held(await accounts.hold(request(60))))
    accounts.charging(charged)
    expect(await accounts.hold(request(30))).toMatchObject({ remain: 20 })
    await accounts.committed([charged], [accountBalance('user', 1, 20)])
    expect(await accounts.hold(request(30))).toMatchObject({ remain: 20 })
  })

  it('count a charge without a hold, also before the balance is known', async () => {
    const { accounts } = openWith(accountBalance('user', 1, 100))
    const charged = charge(95)
    accounts.charging(charged)
    expect(await accounts.hold(request(10))).toMatchObject({ remain: 5 })
    await accounts.committed([charged], [accountBalance('user', 1, 5)])
    expect(await accounts.hold(request(10))).toMatchObject({ remain: 5 })
  })

  it('are harmless after their charge reached the database', async () => {
    const { accounts } = openWith(accountBalance('user', 1, 100))
    const charged = charge(40, held(await accounts.hold(request(50))))
    accounts.charging(charged)
    await accounts.committed([charged], [accountBalance('user', 1, 60)])
    accounts.charging(charged)
    charged.hold?.release()
    expect(await accounts.hold(request(100))).toMatchObject({ remain: 60 })
  })

  it('ask the database again about an account in doubt', async () => {
    const { accounts, reads } = openWith(accountBalance('user', 1, 100))
    held(await accounts.hold(request(1)))
    await accounts.doubt([{ account: 'user', id: 1 }])
    held(await accounts.hold(request(1)))
    expect(reads).toHaveLength(2)
  })
})

describe('holds that are granted at once', () => {
  const deed = fc.record({
    tokenId: fc.constantFrom(0, 2, 3),
    tokenUnlimited: fc.constantFrom(undefined, true, false),
    amount: fc.constantFrom(0, 1, 30),
    spare: fc.constantFrom(undefined, -20, 0, 15),
    more: fc.constantFrom(undefined, true),
    end: fc.constantFrom('open', 'release', 'charge', 'commit'),
  })

  it('answer and count as the general way does', async () => {
    const balances = fc.record({ user: fc.integer({ min: -5, max: 200 }), token: fc.integer({ min: -5, max: 200 }) })
    await fc.assert(
      fc.asyncProperty(balances, fc.array(deed, { maxLength: 15 }), async ({ user, token }, deeds) => {
        const stored = [
          accountBalance('user', 1, user),
          accountBalance('token', 2, token),
          accountBalance('token', 3, token, { unlimited: true }),
        ]
        // An empty list of caps is answered by the general way alone.
        const [quick, general] = [openWith(...stored).accounts, openWith(...stored).accounts]
        for (const { end, tokenUnlimited, ...asked } of deeds) {
          const wanted = { userId: 1, ...asked, ...(tokenUnlimited === undefined ? {} : { tokenUnlimited }) }
          const [one, other] = [
            await quick.hold(plainRequest(wanted)),
            await general.hold({ ...plainRequest(wanted), caps: [] }),
          ]
          expect(shown(one)).toEqual(shown(other))
          for (const [accounts, answer] of [
            [quick, one],
            [general, other],
          ] as const) {
            if (answer.kind === 'refused' || end === 'open') continue
            if (end === 'release') answer.hold.release()
            else {
              const charged = { userId: 1, tokenId: asked.tokenId, quota: 7, hold: answer.hold }
              accounts.charging(charged)
              if (end === 'commit') await accounts.committed([charged], [accountBalance('user', 1, user - 7)])
            }
          }
          expect(quick.open()).toEqual(general.open())
        }
      }),
      { numRuns: 300 },
    )
  })
})

const plainRequest = ({
  spare,
  more,
  ...rest
}: Omit<HoldRequest, 'spare' | 'more'> & {
  readonly spare: number | undefined
  readonly more: true | undefined
}): HoldRequest => ({
  ...rest,
  ...(spare === undefined ? {} : { spare }),
  ...(more === undefined ? {} : { more }),
})

const shown = (answer: HoldAnswer): unknown => (answer.kind === 'held' ? ['held', answer.hold.quota] : answer)
