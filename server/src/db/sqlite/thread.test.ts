import { once } from 'node:events'
import { expect, it } from 'vitest'
import { openThread, startWorker } from './thread.ts'

const slow = 'with recursive n(i) as (select 1 union all select i + 1 from n where i < 50000000) select count(*) from n'

it('rejects what it has not answered when its thread dies, and everything after', async () => {
  const worker = startWorker({ path: ':memory:', readOnly: false, durable: false, cacheKibibytes: 4096 })
  const thread = openThread(worker)
  await thread.query('select 1', [])
  const queries = [thread.query(slow, []), thread.query('select 1', [])]
  const outcomes = Promise.allSettled(queries)
  await worker.terminate()
  expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(thread.isAlive()).toBe(false)
  expect(thread.pending()).toBe(0)
  await expect(thread.query('select 1', [])).rejects.toThrow('The SQLite thread ended')
  await thread.close()
})

it('says why a thread could not start', async () => {
  const thread = openThread(
    startWorker({ path: '/nowhere/at/all.db', readOnly: true, durable: false, cacheKibibytes: 4096 }),
  )
  await expect(thread.query('select 1', [])).rejects.toThrow('unable to open database file')
})

it('answers everything asked before it is closed', async () => {
  const worker = startWorker({ path: ':memory:', readOnly: false, durable: false, cacheKibibytes: 4096 })
  const thread = openThread(worker)
  const ended = once(worker, 'exit')
  const queries = thread.query('select 1 as one', [])
  await thread.close()
  expect((await queries).rows).toEqual([{ one: 1 }])
  await ended
})
