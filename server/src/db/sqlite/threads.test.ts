import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'
import { openThread, startWorker } from './thread.ts'
import { openThreads } from './threads.ts'

/** Threads that answer nothing, with so many questions waiting for each. */
const idleThreads = (pendings: readonly number[]) =>
  pendings.map((_, index) => ({
    query: async () => ({ rows: [], changes: 0, insertId: 0 }),
    many: async () => ({ rows: [], changes: 0, insertId: 0 }),
    forget: () => undefined,
    close: async () => undefined,
    pending: () => pendings[index] ?? 0,
    isAlive: () => true,
  }))

it('replaces threads that died, until it is closed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-'))
  const workers: Worker[] = []
  const start = ({ readOnly }: { readOnly: boolean }) => {
    const worker = startWorker({ path: join(folder, 'test.db'), readOnly, durable: false, cacheKibibytes: 4096 })
    workers.push(worker)
    return openThread(worker)
  }
  const threads = await openThreads(start, 2)
  await threads.writer().query('create table t (n integer)', [])
  await threads.reader()?.query('select n from t', [])
  for (const worker of [...workers]) await worker.terminate()
  await threads.writer().query('insert into t values (1)', [])
  expect((await threads.reader()?.query('select n from t', []))?.rows).toEqual([{ n: 1 }])
  expect(workers).toHaveLength(4)
  await threads.close()
  await expect(threads.writer().query('select 1', [])).rejects.toThrow('ended')
  await rm(folder, { recursive: true })
})

it('starts a reader while all others are busy, up to a limit, and then asks the one with the least to do', async () => {
  const pendings = [0, 0, 0]
  const started = idleThreads(pendings)
  const left = [...started]
  const threads = await openThreads(() => left.shift() ?? expect.unreachable(), 2)
  expect(threads.reader()).toBe(started[1])
  expect(threads.reader()).toBe(started[1])
  pendings[1] = 3
  expect(threads.reader()).toBe(started[2])
  pendings[2] = 5
  expect(threads.reader()).toBe(started[1])
})

it('ends idle readers', async () => {
  const closed: number[] = []
  const pendings = [0, 0, 0, 0, 0]
  const left = pendings.map((_, index) => ({
    query: async () => ({ rows: [], changes: 0, insertId: 0 }),
    many: async () => ({ rows: [], changes: 0, insertId: 0 }),
    forget: () => undefined,
    close: async () => void closed.push(index),
    pending: () => pendings[index] ?? 0,
    isAlive: () => true,
  }))
  const [, first, second, third, fourth] = left
  const threads = await openThreads(() => left.shift() ?? expect.unreachable(), 2)
  expect(threads.reader()).toBe(first)
  pendings[1] = 1
  expect(threads.reader()).toBe(second)
  threads.endIdle()
  expect(closed).toEqual([])
  pendings[2] = 1
  threads.endIdle()
  expect(closed).toEqual([])
  pendings[2] = 0
  threads.endIdle()
  expect(closed).toEqual([2])
  expect(threads.reader()).toBe(third)
  pendings[1] = 0
  threads.endIdle()
  threads.endIdle()
  expect(closed).toEqual([2, 1, 3])
  expect(threads.reader()).toBe(fourth)
  await threads.close()
})

it('has the writer answer quickly while little waits for it, and nothing where a reader is there', async () => {
  const pendings = [0, 0]
  const left = idleThreads(pendings)
  const threads = await openThreads(() => left.shift() ?? expect.unreachable(), 2)
  pendings[0] = 7
  expect(threads.answersSoon()).toBe(true)
  pendings[0] = 8
  expect(threads.answersSoon()).toBe(false)
  threads.reader()
  pendings[0] = 1
  expect(threads.answersSoon()).toBe(false)
  pendings[0] = 0
  expect(threads.answersSoon()).toBe(true)
  await threads.close()
})

it('starts no readers before they are enabled, where they come later', async () => {
  const names: string[] = []
  const start = ({ readOnly }: { readOnly: boolean }) => {
    names.push(readOnly ? 'reader' : 'writer')
    return startWorker({ path: ':memory:', readOnly: false, durable: false, cacheKibibytes: 4096 })
  }
  const threads = await openThreads((how) => openThread(start(how)), 2, { readersLater: true })
  expect(threads.reader()).toBeUndefined()
  expect(names).toEqual(['writer'])
  threads.startReading()
  expect(threads.reader()).toBeDefined()
  expect(names).toEqual(['writer', 'reader'])
  await threads.close()
})
