import { expect, it } from 'vitest'
import { runBatch } from './run-batch.ts'
import { type BatchRows, type BatchTally, callsFor, notBegun } from './tally.ts'

const was = (id: number) => ({ id, value: 2 })
const failed = (id: number) => ({ id, name: `n${id}`, reason: 'locked' })

it('takes many ids in several calls', () => {
  const ids = Array.from({ length: 230 }, (_, index) => index + 1)
  expect(callsFor(ids).map((which) => ('ids' in which ? which.ids.length : 0))).toEqual([100, 100, 30])
})

it('continues by filter until no rows are left, and adds up the results', async () => {
  const sent: BatchRows[] = []
  const seen: BatchTally[] = []
  const tally = await runBatch(
    notBegun([{ filter: { status: '1' } }]),
    async (which) => {
      sent.push(which)
      return sent.length === 1
        ? { done: 99, failed: [failed(7)], before: [was(1)], next: 5 }
        : { done: 3, failed: [], before: [was(2)], next: null }
    },
    { goesOn: () => true, onProgress: (so) => seen.push(so) },
  )
  expect(sent).toEqual([{ filter: { status: '1' } }, { filter: { status: '1' }, before: 5 }])
  expect(tally).toEqual({ done: 102, failed: [failed(7)], before: [was(1), was(2)], left: [] })
  expect(seen.map(({ done }) => done)).toEqual([99, 102])
})

it('keeps the remaining rows when a call fails or the user stops, so that it can continue from there', async () => {
  const broken = await runBatch(
    notBegun([{ ids: [1] }, { ids: [2] }, { ids: [3] }]),
    async (which) => {
      if ('ids' in which && which.ids[0] === 2) throw new Error('no network')
      return { done: 1, failed: [], before: [], next: null }
    },
    { goesOn: () => true, onProgress: () => undefined },
  )
  expect(broken).toEqual({ done: 1, failed: [], before: [], left: [{ ids: [2] }, { ids: [3] }], problem: 'no network' })
  let calls = 0
  const stopped = await runBatch(
    notBegun([{ filter: {} }]),
    async () => {
      calls += 1
      return { done: 100, failed: [], before: [], next: 900 }
    },
    { goesOn: () => calls < 2, onProgress: () => undefined },
  )
  expect(stopped).toEqual({ done: 200, failed: [], before: [], left: [{ filter: {}, before: 900 }] })
})
