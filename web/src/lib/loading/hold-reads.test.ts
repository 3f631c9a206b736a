import { QueryClient } from '@tanstack/react-query'
import { describe, expect, it, vi } from 'vitest'
import { fakeFetch } from '../../test/fake-fetch.ts'
import { calls } from '../api/contract.ts'
import { readOf } from '../query.ts'
import { changeSession, endSession } from './hold-reads.ts'

/** A promise, and the way to fulfil it. */
const promised = <T>() => {
  let fulfil: (value: T) => void = () => {}
  const promise = new Promise<T>((resolve) => {
    fulfil = resolve
  })
  return { promise, fulfil }
}

const client = () => new QueryClient({ defaultOptions: { queries: { retry: false } } })
const read = readOf(calls.getSelf, {}, true)

describe('the end of a session', () => {
  it('drops the reads under way, which would be refused', async () => {
    vi.stubGlobal(
      'fetch',
      (_: string, { signal }: RequestInit) =>
        new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
    )
    const queries = client()
    const reading = queries.fetchQuery(read).catch((error: unknown) => error)
    await new Promise((resolve) => setTimeout(resolve, 20))
    const left = promised<void>()
    const ending = endSession(queries, () => left.promise)
    expect(await reading).toMatchObject({ name: 'Error' })
    left.fulfil()
    await ending
  })

  it('holds reads that begin meanwhile, and sends them where it did not come to an end', async () => {
    const sent = fakeFetch({ 'GET /api/user/self': () => ({ id: 7 }) })
    const queries = client()
    const left = promised<void>()
    const ending = endSession(queries, () => left.promise.then(() => Promise.reject(new Error('no line'))))
    await new Promise((resolve) => setTimeout(resolve, 20))
    const reading = queries.fetchQuery(read)
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(sent).toEqual([])
    left.fulfil()
    await expect(ending).rejects.toThrow('no line')
    expect(await reading).toMatchObject({ id: 7 })
  })
})

describe('a change of the session', () => {
  it('waits for the reads before it, and holds those after it', async () => {
    const answer = promised<unknown>()
    fakeFetch({ 'GET /api/user/self': () => answer.promise })
    const queries = client()
    const order: string[] = []
    const before = queries.fetchQuery(read).then(() => order.push('read before'))
    await new Promise((resolve) => setTimeout(resolve, 20))
    const changing = changeSession(async () => order.push('changed'))
    const after = queries.fetchQuery({ ...read, queryKey: ['another'] }).then(() => order.push('read after'))
    answer.fulfil({ id: 7 })
    await Promise.all([before, changing, after])
    expect(order).toEqual(['read before', 'changed', 'read after'])
  })
})
