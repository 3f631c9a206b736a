import { expect, it } from 'vitest'
import { isTransient, retrying } from './retry.ts'

const failure = (more: object): Error => Object.assign(new Error('failed'), more)

it.each([
  ['a serialisation failure of PostgreSQL', { code: '40001' }, true],
  ['a deadlock of PostgreSQL', { code: '40P01' }, true],
  ['a deadlock of MySQL', { code: 'ER_LOCK_DEADLOCK', errno: 1213 }, true],
  ['a lock timeout of MySQL', { code: 'ER_LOCK_WAIT_TIMEOUT', errno: 1205 }, true],
  ['a busy SQLite file', { code: 'ERR_SQLITE_ERROR', errcode: 5 }, true],
  ['a busy snapshot of SQLite', { code: 'ERR_SQLITE_ERROR', errcode: 517 }, true],
  ['a unique key of SQLite', { code: 'ERR_SQLITE_ERROR', errcode: 2067 }, false],
  ['a unique key of PostgreSQL', { code: '23505' }, false],
  ['anything else', {}, false],
])('knows whether to repeat after %s', (_, more, expected) => {
  expect(isTransient(failure(more))).toBe(expected)
})

it('repeats until it succeeds', async () => {
  let runs = 0
  const result = await retrying(async () => {
    runs += 1
    if (runs < 3) throw failure({ code: '40001' })
    return runs
  })
  expect(result).toBe(3)
})

it('gives up after five runs, and at once on other failures', async () => {
  let runs = 0
  const failing = (error: Error) => () => {
    runs += 1
    return Promise.reject(error)
  }
  await expect(retrying(failing(failure({ code: '40001' })))).rejects.toThrow('failed')
  expect(runs).toBe(5)
  await expect(retrying(failing(failure({ code: '23505' })))).rejects.toThrow('failed')
  expect(runs).toBe(6)
})
