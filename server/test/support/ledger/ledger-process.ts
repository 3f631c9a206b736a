import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { DatabaseAddress } from '../../../src/db/database.ts'
import { openDatabase } from '../../../src/db/engines/open.ts'
import { openEpoch } from '../../../src/ledger/epoch/stored-epoch.ts'
import { openRedisAccounts } from '../../../src/ledger/holds/holds-redis.ts'
import type { HeldCap, Hold } from '../../../src/relay/ports.ts'
import { aRecord } from '../journal/records.ts'
import { openTestLedger } from './ledger.ts'

/** A ledger that shares its accounts through Redis, in a process of its own that can be stopped and continued. */
export interface LedgerProcess {
  /** Holds this much under a name; answers false where it is refused. */
  hold(name: string, userId: number, amount: number): Promise<boolean>
  release(name: string): Promise<void>
  /** Ends a held request with this charge, which stays in the journal until `flush`. */
  charge(name: string, userId: number, quota: number): Promise<void>
  flush(): Promise<void>
  /** Holds and charges all of them at once; answers for each whether it was charged. Rejects where the process is killed. */
  calls(list: readonly ProcessCall[]): Promise<readonly boolean[]>
  /** Stops the process where it is, as a busy machine may do for long. */
  pause(): void
  resume(): void
  kill(): Promise<void>
}

/** A call of a key with spending caps. */
export interface ProcessCall {
  readonly name: string
  readonly userId: number
  readonly tokenId: number
  readonly caps: readonly HeldCap[]
  readonly amount: number
  /** At most the amount. */
  readonly quota: number
}

interface Settings {
  readonly address: DatabaseAddress
  readonly directory: string
  readonly redisUrl: string
  readonly nodeName: string
  readonly graceMs: number
  readonly beatMs: number
  /** Until charges are written to the database; ten minutes where absent. */
  readonly delayMs?: number
}

type Order =
  | { readonly do: 'hold'; readonly name: string; readonly userId: number; readonly amount: number }
  | { readonly do: 'release'; readonly name: string }
  | { readonly do: 'charge'; readonly name: string; readonly userId: number; readonly quota: number }
  | { readonly do: 'flush' }
  | { readonly do: 'calls'; readonly list: readonly ProcessCall[] }

const variable = 'TEST_LEDGER_PROCESS'

export const openLedgerProcess = async (settings: Settings): Promise<LedgerProcess> => {
  const child: ChildProcess = fork(fileURLToPath(import.meta.url), [], {
    // Those of the test runner mean nothing to it.
    execArgv: [],
    env: { ...process.env, [variable]: JSON.stringify(settings) },
  })
  const gone = once(child, 'exit')
  const answer = async (): Promise<unknown> => {
    const lost = gone.then(() => Promise.reject(new Error('the process of the ledger has ended')))
    const [message] = await Promise.race([once(child, 'message'), lost])
    if (message instanceof Object && 'error' in message) throw new Error(String(message.error))
    return message
  }
  const order = (what: Order): Promise<unknown> => {
    const answered = answer()
    child.send(what)
    return answered
  }
  await answer()
  return {
    hold: async (name, userId, amount) => (await order({ do: 'hold', name, userId, amount })) === 'held',
    release: async (name) => void (await order({ do: 'release', name })),
    charge: async (name, userId, quota) => void (await order({ do: 'charge', name, userId, quota })),
    flush: async () => void (await order({ do: 'flush' })),
    calls: async (list) => {
      const answers = await order({ do: 'calls', list })
      return Array.isArray(answers) ? answers.map(Boolean) : []
    },
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    async kill() {
      child.kill('SIGKILL')
      await gone
    },
  }
}

/** Runs the process: one order after the other, each with one answer. */
const serve = async ({ address, directory, redisUrl, delayMs = 600_000, ...node }: Settings): Promise<void> => {
  const database = await openDatabase(address)
  const shared = { ...node, url: redisUrl, epoch: await openEpoch(database), warn: () => undefined }
  const { ledger } = await openTestLedger(database, directory, {
    delayMs,
    openAccounts: (parts) => openRedisAccounts({ ...parts, ...shared }),
  })
  const holds = new Map<string, Hold>()
  const heldAs = (name: string): Hold => {
    const hold = holds.get(name)
    if (hold === undefined) throw new Error(`nothing is held as ${name}`)
    return hold
  }
  const call = async ({ name, amount, quota, ...caller }: ProcessCall): Promise<boolean> => {
    const answer = await ledger.holds.hold({ ...caller, amount })
    if (answer.kind === 'refused') return false
    await new Promise(setImmediate)
    const record = aRecord(name, { ...caller, channelId: 0, quota, caps: caller.caps.map(({ id }) => id) })
    await ledger.recorder.charge(record, answer.hold)
    return true
  }
  const obey = async (order: Order): Promise<string | readonly boolean[]> => {
    switch (order.do) {
      case 'hold': {
        const answer = await ledger.holds.hold({ userId: order.userId, tokenId: 0, amount: order.amount })
        if (answer.kind === 'held') holds.set(order.name, answer.hold)
        return answer.kind
      }
      case 'release':
        heldAs(order.name).release()
        return 'released'
      case 'charge': {
        const { name, userId, quota } = order
        await ledger.recorder.charge(aRecord(name, { userId, tokenId: 0, channelId: 0, quota }), heldAs(name))
        return 'charged'
      }
      case 'calls':
        return Promise.all(order.list.map(call))
      case 'flush':
        await ledger.flush()
        return 'flushed'
    }
  }
  process.on('message', (order: Order) => {
    obey(order).then(
      (answer) => process.send?.(answer),
      (error: unknown) => process.send?.({ error: String(error) }),
    )
  })
  process.send?.('ready')
}

const settings = process.env[variable]
if (settings !== undefined && process.argv[1] === join(import.meta.dirname, 'ledger-process.ts')) {
  // An end of the test, however it comes, is the end of this process.
  process.on('disconnect', () => process.exit())
  await serve(JSON.parse(settings))
}
