import { afterAll, beforeAll, expect, it } from 'vitest'
import { openServingNodes, type ServingNodes, servesOn } from '#server-test/limits/serving-nodes.ts'
import type { RightsSite } from '#server-test/rights/site.ts'
import { describeEachAddress } from '#server-test/support/db/databases.ts'

/** Started or stopped at one node, inspections count there from the next call on, and at others once they are notified. */

const idHeader = 'x-oneapi-request-id'

describeEachAddress('inspections', (place, engine) => {
  const isHere = servesOn(engine)
  let nodes: ServingNodes

  beforeAll(async () => {
    if (isHere) nodes = await openServingNodes(engine, place)
  })
  afterAll(() => nodes?.close())

  it.runIf(isHere)(
    'captures calls from the next one on, and none after they have ended',
    async () => {
      const caller = await nodes.newKey()
      /** Makes a call; its id. */
      const call = async (at: RightsSite): Promise<string> =>
        (await nodes.answered(at, caller)).headers.get(idHeader) ?? ''
      const isCaptured = async (id: string): Promise<boolean> => {
        const { total } = (await nodes.operate('GET', `/api/inspector/captures?request_id=${id}`)) as { total: number }
        return total === 1
      }
      const start = async (): Promise<void> => {
        await nodes.operate('POST', '/api/inspector/', { kind: 'token', target_id: caller.tokenId, minutes: 5 })
      }
      const early = await call(nodes.first)
      await start()
      const inspected = await call(nodes.first)
      await expect.poll(() => isCaptured(inspected)).toBe(true)
      const atOther: string[] = []
      const someAtOther = async (): Promise<boolean> => {
        atOther.push(await call(nodes.other))
        return (await Promise.all(atOther.map(isCaptured))).includes(true)
      }
      await expect.poll(someAtOther).toBe(true)
      const running = (await nodes.operate('GET', '/api/inspector/')) as readonly { id: number }[]
      for (const { id } of running) await nodes.operate('POST', `/api/inspector/${id}/stop`)
      const late = await call(nodes.first)
      await start()
      const last = await call(nodes.first)
      // A node writes captures one after the other.
      await expect.poll(() => isCaptured(last)).toBe(true)
      expect([await isCaptured(early), await isCaptured(late)]).toEqual([false, false])
    },
    60_000,
  )
})
