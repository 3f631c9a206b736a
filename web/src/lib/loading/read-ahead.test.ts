import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeFetch, type Sent } from '../../test/fake-fetch.ts'
import { calls } from '../api/contract.ts'
import { createQueryClient, queryKeyOf } from '../query.ts'
import { freshForMs, type ReadAhead, readAheadInto } from './read-ahead.ts'

const tokenOf = (id: number) => ({ params: { id } })
const settled = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0)

describe('reading ahead', () => {
  let sent: Sent[]
  let client: ReturnType<typeof createQueryClient>
  let read: ReadAhead

  beforeEach(() => {
    vi.useFakeTimers({ now: new Date('2026-11-20T12:00:00Z') })
    const token = ({ path }: Sent) => ({ id: Number(path.split('/').at(-1)) })
    sent = fakeFetch(Object.fromEntries(Array.from({ length: 60 }, (_, id) => [`GET /api/token/${id}`, token])))
    client = createQueryClient()
    read = readAheadInto(client)
  })
  afterEach(() => {
    vi.useRealTimers()
    Object.defineProperty(navigator, 'connection', { value: undefined, configurable: true })
  })

  it('puts the answer where the page looks for it, once', async () => {
    read(calls.getToken, tokenOf(7))
    read(calls.getToken, tokenOf(7))
    await settled()
    read(calls.getToken, tokenOf(7))
    expect(client.getQueryData(queryKeyOf(calls.getToken, tokenOf(7)))).toEqual({ id: 7 })
    expect(sent.map(({ path }) => path)).toEqual(['/api/token/7'])
  })

  it('asks again when the answer is some seconds old, or from before a change', async () => {
    read(calls.getToken, tokenOf(7))
    await vi.advanceTimersByTimeAsync(freshForMs + 1000)
    read(calls.getToken, tokenOf(7))
    await settled()
    expect(sent).toHaveLength(2)
    await client.invalidateQueries({ refetchType: 'none' })
    read(calls.getToken, tokenOf(7))
    await settled()
    expect(sent).toHaveLength(3)
  })

  it('asks for nothing where data is to be saved', async () => {
    Object.defineProperty(navigator, 'connection', { value: { saveData: true }, configurable: true })
    read(calls.getToken, tokenOf(7))
    await settled()
    expect(sent).toEqual([])
  })

  it('leaves most of the calls that the server allows to what people really ask for', async () => {
    for (let id = 0; id < 60; id += 1) read(calls.getToken, tokenOf(id))
    await settled()
    expect(sent).toHaveLength(30)
    await vi.advanceTimersByTimeAsync(180_000)
    read(calls.getToken, tokenOf(59))
    await settled()
    expect(sent).toHaveLength(31)
  })

  it('asks for nothing while a finger is on the screen, which may be about to scroll', async () => {
    document.dispatchEvent(Object.assign(new Event('pointerdown'), { pointerType: 'touch' }))
    read(calls.getToken, tokenOf(7))
    await settled()
    expect(sent).toEqual([])
    await vi.advanceTimersByTimeAsync(2000)
    read(calls.getToken, tokenOf(7))
    await settled()
    expect(sent).toHaveLength(1)
  })
})
