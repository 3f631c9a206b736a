import type { CallList, DataOf, listReconciledCalls } from '@tollgate/contract'
import { expect, it } from 'vitest'
import { describeEachEngine } from '#server-test/support/db/databases.ts'
import { day, firstDay, type LoggedCall, openTestReconciliation } from '../tests/compared-site.ts'

const columns = {
  day: 'time',
  model: 'model',
  request_id: 'generation_id',
  input: 'tokens_prompt',
  cache_read: 'cached_tokens',
  output: 'tokens_completion',
  cost: 'cost',
}
const source = { kind: 'csv', settings: { columns } }
const header = 'time,model,generation_id,tokens_prompt,cached_tokens,tokens_completion,cost'

/** More than a page of the log, so that pages meet. */
const calls = 1_100

const idOf = (index: number): string => `gen-${index}`
const atOf = (index: number): number => firstDay + index * 60

/** 400 tokens, 600 cached and 100 more: $0.00275. */
const usage = { input: 400, cacheRead: 600, output: 100 }
const ourCall = (index: number): LoggedCall => ({ model: 'gpt-4o', usage, at: atOf(index), providerId: idOf(index) })

type Line = [time: string, model: string, id: string, prompt: number, cached: number, output: number, cost: number]
const lineOf = (index: number): Line => {
  const time = new Date(atOf(index) * 1000).toISOString()
  return [time, 'openai/gpt-4o', idOf(index), 1_000, 600, 100, 0.00275]
}
const numbers = Array.from({ length: calls }, (_, index) => index)

type Calls = DataOf<typeof listReconciledCalls>

describeEachEngine('a report that names single calls', (open) => {
  const imported = async (lines: readonly Line[], own: readonly LoggedCall[] = numbers.map(ourCall)) => {
    const desk = await openTestReconciliation(await open())
    await desk.log(...own)
    const { id } = await desk.addSource(source)
    const text = [header, ...lines.map((line) => line.join(','))].join('\n')
    const result = await desk.import(id, { file: { name: 'activity.csv', text } })
    const listed = (list: CallList): Promise<Calls> =>
      desk.data('GET', `/api/reconciliation/imports/${result.id}/calls?list=${list}&page_size=100`)
    return { result, listed, desk }
  }

  it('and tells the truth has every call matched', async () => {
    const { result, listed } = await imported(numbers.map(lineOf))
    expect(result.calls).toMatchObject({ ids: 'matched', matched: calls, there: 0, here: 0, different: 0 })
    expect((await listed('different')).items).toEqual([])
    expect(result.causes).toEqual([])
  })

  it('and lies about five of them has each lie named, and no other call', async () => {
    const lines = numbers.map(lineOf)
    const [missingThere, missingHere, doubled, changed, repeated] = [7, 501, 502, 999, 1_050] as const
    const lies = lines.flatMap((line, index): Line[] => {
      const [time, model, id, prompt, cached, output, cost] = line
      if (index === missingThere) return []
      if (index === doubled) return [[time, model, id, prompt, cached, output, cost * 2]]
      if (index === changed) return [[time, model, id, prompt, cached, output + 50, cost + 50 * 10e-6]]
      return index === repeated ? [line, line] : [line]
    })
    const own = numbers.filter((index) => index !== missingHere).map(ourCall)
    const { result, listed } = await imported(lies, own)
    expect(result.calls).toMatchObject({ ids: 'matched', matched: calls - 2, there: 1, here: 1, different: 3 })
    expect((await listed('here')).items).toMatchObject([
      {
        provider_request_id: idOf(missingThere),
        request_id: expect.stringMatching(/./),
        at: atOf(missingThere),
        theirs: null,
        difference: '-0.00275',
        causes: [{ cause: 'missing_there' }],
      },
    ])
    expect((await listed('there')).items).toMatchObject([
      { provider_request_id: idOf(missingHere), request_id: '', ours: null, difference: '0.00275' },
    ])
    expect((await listed('different')).items).toMatchObject([
      { provider_request_id: idOf(doubled), causes: [{ cause: 'price_changed', amount: '0.00275', factor: '2' }] },
      { provider_request_id: idOf(changed), causes: [{ cause: 'tokens_differ', amount: '0.0005' }] },
      { provider_request_id: idOf(repeated), causes: [{ cause: 'duplicated', amount: '0.00275', calls: 1 }] },
    ])
  })

  it('is compared with what calls were recorded to cost, not with today’s price', async () => {
    // A discount of a fifth was in force: $0.0022.
    const own = [0, 1, 2].map((index) => ({ ...ourCall(index), upstreamCost: 1_100 }))
    const lines = [0, 1, 2].map(lineOf).map((line, index) => line.with(6, index === 2 ? 0.00275 : 0.0022) as Line)
    const { result, listed } = await imported(lines, own)
    expect(result.days[0]?.ours.cost).toBe('0.0066')
    expect(result.causes).toMatchObject([{ cause: 'price_changed', amount: '0.00055' }])
    expect((await listed('different')).items).toMatchObject([
      { provider_request_id: idOf(2), causes: [{ cause: 'price_changed', factor: '1.25' }] },
    ])
  })

  it('and has ids of another kind is compared by model and day alone', async () => {
    const lines = [0, 1].map((index) => lineOf(index).with(2, `chatcmpl-${index}`) as Line)
    const { result, listed } = await imported(lines, [0, 1].map(ourCall))
    expect(result.calls).toMatchObject({ ids: 'other_ids', there: 0, here: 0, different: 0 })
    expect((await listed('there')).items).toEqual([])
    expect(result.days).toMatchObject([{ causes: [], ours: { calls: 2 } }])
  })

  it('meets calls that ended within the next hour, and leaves out those of the other day', async () => {
    const late = { ...ourCall(0), at: firstDay + day + 900 }
    const another = { ...ourCall(1), at: firstDay + day + 901 }
    const { result } = await imported([lineOf(0), lineOf(2)], [late, another, ourCall(2)])
    expect(result.calls).toMatchObject({ matched: 2, there: 0, here: 0 })
  })

  it('says how many calls of the log have no id to compare', async () => {
    const { providerId: _, ...unnamed } = ourCall(1)
    const { result } = await imported([lineOf(0)], [ourCall(0), unnamed])
    expect(result.calls).toMatchObject({ ids: 'matched', matched: 1, here: 0, unnamed: 1 })
    const none = await imported([lineOf(0)], [unnamed])
    expect(none.result.calls).toMatchObject({ ids: 'no_own_ids' })
  })

  it('forgets the calls of an import that is deleted', async () => {
    const { result, listed, desk } = await imported([lineOf(0), lineOf(1)], [ourCall(0)])
    expect((await listed('there')).total).toBe(1)
    await desk.data('DELETE', `/api/reconciliation/imports/${result.id}`)
    await expect(listed('there')).rejects.toThrow()
  })
})
