import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTaskBooks } from '../../src/features/task-progress/books.ts'
import { describeWithDatabase } from '../support/db/databases.ts'
import { type LedgerGateway, openLedgerGateway } from '../support/gateway/ledger-listener.ts'
import { json } from '../support/gateway/upstream.ts'
import { testChannel } from '../support/relay/ports.ts'

/** Tasks of Midjourney and Suno say what they cost where their client asks. */

const asking = { 'x-tollgate-include-cost': 'true' }
const drawn = { code: 1, description: '提交成功', result: '1730621826053455', properties: {} }
const sung = { code: 'success', message: '', data: 'song-1' }

interface Told {
  readonly usage?: { readonly cost: number; readonly receipt?: string }
}

describeWithDatabase('the cost of a task', (open) => {
  let site: LedgerGateway
  beforeAll(async () => {
    const database = await open()
    site = await openLedgerGateway(database, { balance: 10_000_000 })
    Object.assign(site.gateway.tasks.parts.books, openTaskBooks(database))
  })
  afterAll(() => site.close())

  const submit = async (kind: 'drawing' | 'song', headers: Readonly<Record<string, string>> = asking) => {
    const isSong = kind === 'song'
    const channel = testChannel({ id: 0, type: isSong ? 36 : 2, baseUrl: site.upstream.url })
    site.gateway.parts.channels.list.splice(0, Number.POSITIVE_INFINITY, channel)
    site.upstream.answer = json(isSong ? sung : drawn)
    const before = await site.balances()
    const body = isSong ? { prompt: 'rain' } : { prompt: 'a toll booth' }
    const response = await site.post(isSong ? '/suno/submit/MUSIC' : '/mj/submit/imagine', body, headers)
    const answer = (await response.json()) as Told
    return { answer, response, moved: before.user - (await site.balances()).user }
  }

  const get = async (path: string, headers: Readonly<Record<string, string>> = asking) => {
    const response = await fetch(site.gateway.url + path, { headers: { authorization: 'Bearer sk-good', ...headers } })
    return { answer: (await response.json()) as Told & { data?: unknown }, response }
  }

  it.each([
    ['drawing', '/mj/task/1730621826053455/fetch'],
    ['song', '/suno/fetch/song-1'],
  ] as const)('is in the answer to its submission and to questions about it: %s', async (kind, path) => {
    const { answer, response, moved } = await submit(kind)
    expect(moved).toBe(50_000)
    expect(answer).toMatchObject({ ...(kind === 'song' ? sung : drawn), usage: { cost: 0.1 } })
    const receipt = answer.usage?.receipt ?? ''
    expect(response.headers.get('x-tollgate-cost')).toBe('0.1')
    expect(response.headers.get('x-tollgate-receipt')).toBe(receipt)
    const signed = await get(`/v1/receipts/${receipt}`)
    expect(signed.answer).toMatchObject({ receipt: { id: receipt, cost: '0.1', units: 50_000 } })
    const fetched = await get(path)
    expect(fetched.answer.usage).toEqual({ cost: 0.1, receipt })
    expect(fetched.response.headers.get('x-tollgate-cost')).toBe('0.1')
    const plain = await get(path, {})
    expect(plain.answer.usage).toBeUndefined()
    expect(plain.response.headers.get('x-tollgate-cost')).toBeNull()
  })

  it('stands with each task of a list', async () => {
    const drawing = await submit('drawing')
    const song = await submit('song')
    const drawings = await site.post('/mj/task/list-by-condition', { ids: [drawn.result, 'none'] }, asking)
    expect(await drawings.json()).toMatchObject([{ id: drawn.result, usage: drawing.answer.usage }])
    const songs = await site.post('/suno/fetch', { ids: [sung.data] }, asking)
    expect(await songs.json()).toMatchObject({
      code: 'success',
      data: [{ task_id: sung.data, usage: song.answer.usage }],
    })
  })

  it('is left out where nobody asks, and the answer is the service’s own', async () => {
    const { answer, response } = await submit('drawing', {})
    expect(answer).toEqual(drawn)
    expect(response.headers.get('x-tollgate-cost')).toBeNull()
  })

  it('is known to a later question about a task whose submission did not ask, without a receipt', async () => {
    await submit('song', {})
    expect((await get('/suno/fetch/song-1')).answer.usage).toEqual({ cost: 0.1 })
  })

  it('is nothing where the service refuses the task', async () => {
    await submit('drawing')
    site.upstream.answer = json({ code: 24, description: 'banned', properties: {} })
    const response = await site.post('/mj/submit/imagine', { prompt: 'x' }, asking)
    expect(await response.json()).toEqual({ code: 24, description: 'banned', properties: {} })
    expect(response.headers.get('x-tollgate-cost')).toBeNull()
  })
})
