import { Worker } from 'node:worker_threads'
import type { BcryptAnswer, BcryptRequest } from './bcrypt-worker.ts'

/** bcrypt takes a tenth of a second of one core at the usual cost; each step more doubles that. */
const mostRounds = 14
const shape = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/
/** The thread is needed while people sign in for the first time after a move. */
const idleMs = 60_000

/** True for a bcrypt hash whose cost is at most 14. */
export const isBcryptHash = (text: string): boolean => Number(shape.exec(text)?.[1] ?? mostRounds + 1) <= mostRounds

let worker: Worker | undefined
let idle: NodeJS.Timeout | undefined
let lastId = 0
const waiting = new Map<number, (isRight: boolean) => void>()

const settleAll = (): void => {
  const settles = [...waiting.values()]
  waiting.clear()
  for (const settle of settles) settle(false)
}

const start = (): Worker => {
  const started = new Worker(new URL('./bcrypt-worker.ts', import.meta.url), { name: 'bcrypt', execArgv: [] })
  const gone = (): void => {
    if (worker !== started) return
    worker = undefined
    settleAll()
  }
  started.on('message', ({ id, isRight }: BcryptAnswer) => {
    waiting.get(id)?.(isRight)
    waiting.delete(id)
    if (waiting.size > 0) return
    started.unref()
    idle = setTimeout(() => void started.terminate(), idleMs).unref()
  })
  started.on('error', gone)
  started.on('exit', gone)
  return started
}

/** Compares a password with a bcrypt hash in a thread of its own; false also where that thread fails. */
export const verifyBcrypt = (password: string, hash: string): Promise<boolean> =>
  new Promise((resolve) => {
    clearTimeout(idle)
    worker ??= start()
    worker.ref()
    lastId += 1
    waiting.set(lastId, resolve)
    worker.postMessage({ id: lastId, password, hash } satisfies BcryptRequest)
  })
