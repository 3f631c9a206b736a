import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'
import { openThread, startWorker } from './thread.ts'
import { openThreads } from './threads.ts'

it('replaces threads that died, until it is closed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-'))
  const workers: Worker[] = []
  const start = ({ readOnly }: { readOnly: boolean }) => {
    const worker = startWorker({ path: join(folder, 'test.db'), readOnly, durable: false })
    workers.push(worker)
    return openThread(worker)
  }
  const threads = await openThreads(start, 2)
  await threads.writer().query('create table t (n integer)', [])
  for (const worker of [...workers]) await worker.terminate()
  await threads.writer().query('insert into t values (1)', [])
  expect((await threads.reader()?.query('select n from t', []))?.rows).toEqual([{ n: 1 }])
  expect(workers).toHaveLength(6)
  await threads.close()
  await expect(threads.writer().query('select 1', [])).rejects.toThrow('ended')
  await rm(folder, { recursive: true })
})

it('asks the reader with the least to do', async () => {
  const started = [9, 3, 1].map((pending) => ({
    query: async () => ({ rows: [], changes: 0, insertId: 0 }),
    many: async () => ({ rows: [], changes: 0, insertId: 0 }),
    forget: () => undefined,
    close: async () => undefined,
    pending: () => pending,
    isAlive: () => true,
  }))
  const left = [...started]
  const threads = await openThreads(() => left.shift() ?? expect.unreachable(), 2)
  expect(threads.reader()).toBe(started[2])
})
