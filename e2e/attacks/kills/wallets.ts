import { setTimeout as wait } from 'node:timers/promises'
import type { DatabaseAddress } from '../../../server/src/db/database.ts'
import { openDatabase } from '../../../server/src/db/engines/open.ts'
import { seeded } from '../../../server/test/support/ledger/chance.ts'
import { addCustomer, type Person, signIn } from '../../support/operator.ts'
import { chatCost, type Payer } from './call-kinds.ts'
import type { Finished } from './load.ts'

const ownerName = 'owner'
const password = 'battery-staple'
const movingKey = 'moving'
/** Quota units of the owner and the organisation together, and the limit of the key that moves. Calls use up both. */
const paidIn = 80_000
const limit = 20_000
const mostTransferred = 12_000
/** How often the owner tries to take out all that is booked. */
const greed = 0.5
const pauseMs = 40
const retryMs = 200

/** An organisation whose owner moves money in and out while its keys call, and a key with a limit that moves between projects. */
export interface Wallets {
  readonly keys: Readonly<Partial<Record<Payer, readonly string[]>>>
  /** Transfers and moves at random until it is stopped; each is repeated until its outcome is known. */
  start(urls: readonly string[], seed: number): Mover
  /**
   * Compares ledger and keys with what was paid in and answered, and tells `credits` what each wallet was given. The servers must have
   * stopped.
   */
  judge(parts: {
    readonly database: DatabaseAddress
    readonly credits: Map<number, number>
    readonly finished: readonly Finished[]
  }): Promise<readonly string[]>
}

export interface Mover {
  readonly counts: MoveCounts
  stop(): Promise<void>
  /** Stops at once and sends no request again, although the outcome of the last one may not be known. */
  abandon(): void
}

/** How many were made, and how many transfers were refused for want of free money. */
export interface MoveCounts {
  transfers: number
  refused: number
  moves: number
}

interface ProjectKey {
  readonly id: number
  readonly name: string
  readonly project_id: number
}

type Answer = { readonly success: boolean; readonly code?: string; readonly data?: unknown }

/** For certain nothing moved; whatever else is answered leaves it open. */
const isRefused = ({ success, code }: Answer): boolean => !success && code === 'balance_too_small'

export const openWallets = async (url: string, operator: Person): Promise<Wallets> => {
  await operator.must('PUT', '/api/option/', { key: 'OrganisationsEnabled', value: 'true' })
  const owner = await addCustomer(url, operator, ownerName, paidIn)
  const { id } = await owner.must<{ id: number }>('POST', '/api/organisation/', { name: 'Northwind' })
  const path = `/api/organisation/${id}`
  const team = { team_id: 0, name: 'Platform' }
  const { id: teamId } = await owner.must<{ id: number }>('PUT', `${path}/team`, team)
  const addProject = async (name: string): Promise<number> => {
    const project = { project_id: 0, team_id: teamId, name }
    return (await owner.must<{ id: number }>('PUT', `${path}/project`, project)).id
  }
  const projects = [await addProject('billing-api'), await addProject('papers')] as const
  const addMachine = async (more: object): Promise<string> => {
    const key = { project_id: projects[0], member_id: 0, ...more }
    return `sk-${(await owner.must<{ key: string }>('POST', `${path}/keys`, key)).key}`
  }
  const machine = await addMachine({ name: 'machine', unlimited_quota: true })
  const moving = await addMachine({ name: movingKey, unlimited_quota: false, remain_quota: limit })
  const begin = { direction: 'in', amount: paidIn / 2, transfer_id: 'transfer-0' }
  await owner.must('POST', `${path}/transfer`, begin)
  /** Quota units that the organisation got from its owner, by the answers that the owner has received. */
  let inside = begin.amount
  let abandoned = false

  /** Repeats a request until it is answered: a node may be killed with the request. */
  const ask = async (
    people: readonly (() => Promise<Person>)[],
    random: () => number,
    { method, to, body }: { readonly method: string; readonly to: string; readonly body?: object },
  ): Promise<Answer | undefined> => {
    while (!abandoned) {
      try {
        const person = await people[Math.floor(random() * people.length)]?.()
        const answer = (await person?.ask(method, to, body)) as Answer | undefined
        if (answer?.success === true || (answer !== undefined && isRefused(answer))) return answer
        // The key may have moved by an earlier request whose answer was lost.
        if (to.endsWith('/move')) return answer
      } catch {
        // The node is away.
      }
      await wait(retryMs)
    }
    return undefined
  }

  return {
    keys: { project: [machine], moving: [moving] },

    start(urls, seed) {
      const random = seeded(seed)
      const counts: MoveCounts = { transfers: 0, refused: 0, moves: 0 }
      const sessions = new Map<string, Promise<Person>>()
      const people = urls.map((at) => (): Promise<Person> => {
        const known = sessions.get(at)
        if (known !== undefined) return known
        const session = signIn(at, ownerName, password)
        sessions.set(at, session)
        session.catch(() => sessions.delete(at))
        return session
      })
      let running = true

      /** All that the organisation's page shows, whatever calls hold of it. */
      const booked = async (): Promise<number> => {
        const answer = await ask(people, random, { method: 'GET', to: path })
        return ((answer?.data ?? { balance: 0 }) as { readonly balance: number }).balance
      }

      const transfer = async (number: number): Promise<void> => {
        const direction = random() < 0.5 ? 'in' : 'out'
        const some = 1 + Math.floor(random() * mostTransferred)
        const amount = direction === 'out' && random() < greed ? Math.max(1, await booked()) : some
        const body = { direction, amount, transfer_id: `transfer-${number}` }
        const answer = await ask(people, random, { method: 'POST', to: `${path}/transfer`, body })
        if (answer?.success !== true) {
          counts.refused += 1
          return
        }
        counts.transfers += 1
        inside += direction === 'in' ? amount : 0 - amount
      }

      const move = async (): Promise<void> => {
        const listed = await ask(people, random, { method: 'GET', to: `${path}/keys` })
        const key = ((listed?.data ?? []) as readonly ProjectKey[]).find(({ name }) => name === movingKey)
        const project_id = projects.find((project) => project !== key?.project_id)
        if (key === undefined || project_id === undefined) return
        const body = { key_id: key.id, project_id }
        const answer = await ask(people, random, { method: 'POST', to: `${path}/keys/move`, body })
        if (answer?.success === true) counts.moves += 1
      }

      const mover = async (): Promise<void> => {
        for (let number = 1; running; number += 1) {
          if (random() < 0.7) await transfer(number)
          else await move()
          await wait(random() * 2 * pauseMs)
        }
      }
      const done = mover()
      return {
        counts,
        async stop() {
          running = false
          await done
        },
        abandon() {
          running = false
          abandoned = true
        },
      }
    },

    async judge({ database: address, credits, finished }) {
      const database = await openDatabase(address)
      const { query } = database
      const { wallet_user_id: wallet } = await query
        .selectFrom('organisations')
        .select('wallet_user_id')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      const entries = await query
        .selectFrom('ledger_entries')
        .select(['account_id', 'amount', 'movement', 'reason'])
        .where('account', '=', 'user')
        .where('account_id', 'in', [owner.id, wallet])
        .orderBy('id')
        .execute()
      const rows = await query
        .selectFrom('users')
        .select(['id', 'quota'])
        .where('id', 'in', [owner.id, wallet])
        .execute()
      const chain = await query
        .selectFrom('tokens')
        .select(['id', 'used_quota', 'remain_quota'])
        .where('user_id', '=', wallet)
        .where('name', '=', movingKey)
        .execute()
      await database.close()
      credits.set(owner.id, paidIn - inside)
      credits.set(wallet, inside)

      const problems: string[] = []
      const balances = new Map<number, number>()
      let charged = 0
      for (const { account_id, amount, movement, reason } of entries) {
        const balance = (balances.get(account_id) ?? 0) + Number(amount)
        balances.set(account_id, balance)
        if (reason === 'charge') charged -= Number(amount)
        if (balance < 0) problems.push(`wallet ${account_id} is at ${balance} after ${movement}`)
      }
      const left = rows.reduce((sum, { quota }) => sum + Number(quota), 0)
      if (left + charged !== paidIn) problems.push(`${left} are left and ${charged} charged of ${paidIn} paid in`)
      const answered = finished.filter(
        ({ kind, outcome }) => kind.payer === 'moving' && outcome.kind === 'complete',
      ).length
      const used = chain.reduce((sum, row) => sum + Number(row.used_quota), 0)
      const remain = chain.reduce((sum, row) => sum + Number(row.remain_quota), 0)
      if (answered * chatCost > limit || used > limit)
        problems.push(
          `a key moved ${chain.length - 1} times let ${answered} calls and ${used} through, its limit is ${limit}`,
        )
      if (used + remain !== limit) problems.push(`a moved key has ${remain} left and ${used} used of ${limit}`)
      for (const row of chain)
        if (Number(row.remain_quota) < 0) problems.push(`token ${row.id} is at ${row.remain_quota}`)
      return problems
    },
  }
}
