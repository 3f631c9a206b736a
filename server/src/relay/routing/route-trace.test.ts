import { logOther, type RouteCandidate } from '@tollgate/contract'
import { describe, expect, it } from 'vitest'
import {
  ask,
  channel,
  gateway,
  hi,
  lastRecord,
  upstream,
  useChannels,
  useScene,
} from '../../../test/support/gateway/scene.ts'
import { completion, json } from '../../../test/support/gateway/upstream.ts'
import { testChannel } from '../../../test/support/relay/ports.ts'
import { drawsFrom } from './choice/draws.ts'
import { byChance, chooseChannel } from './plan.ts'

useScene()

const traceOf = () => logOther.parse(lastRecord()?.other).admin_info?.route ?? {}
const why = (candidates: readonly RouteCandidate[] = []) => candidates.map(({ id, why }) => [id, why])

describe('the record of a call', () => {
  it('says nothing where there was nothing to choose from', async () => {
    upstream.answer = json(completion('hello'))
    await ask(hi)
    expect(lastRecord()?.other.admin_info).not.toHaveProperty('route')
  })

  it('names the candidates, and why each was or was not taken', async () => {
    useChannels(
      channel({ id: 1, weight: 5 }),
      channel({ id: 2, weight: 5 }),
      channel({ id: 3, priority: -1 }),
      channel({ id: 4, maxInputTokens: 1 }),
    )
    upstream.answer = json(completion('hello'))
    await ask(hi)
    const taken = lastRecord()?.channelId
    expect(why(traceOf().candidates)).toEqual([
      [1, taken === 1 ? 'chosen' : 'not_drawn'],
      [2, taken === 2 ? 'chosen' : 'not_drawn'],
      [3, 'lower_priority'],
      [4, 'too_long'],
    ])
  })

  it('counts the candidates beyond eight, and always names the chosen one', async () => {
    useChannels(...Array.from({ length: 50 }, (_, index) => channel({ id: index + 1 })))
    upstream.answer = json(completion('hello'))
    for (let call = 0; call < 10; call += 1) {
      await ask(hi)
      const { candidates = [], more } = traceOf()
      expect([candidates.length, more]).toEqual([8, 42])
      expect(candidates.filter(({ why }) => why === 'chosen').map(({ id }) => id)).toEqual([lastRecord()?.channelId])
    }
  })

  it('can be replayed: the same number gives the same channel', async () => {
    useChannels(...[0, 5, 40].map((weight, index) => channel({ id: index + 1, weight })))
    upstream.answer = json(completion('hello'))
    for (let call = 0; call < 60; call += 1) await ask(hi)
    const taken = gateway.parts.recorder.records.map(({ other, channelId }) => {
      const { candidates = [], draw = 0 } = logOther.parse(other).admin_info?.route ?? {}
      const again = candidates.map(({ id, weight, priority }) => testChannel({ id, weight, priority }))
      return [channelId, chooseChannel(again, new Set(), 0, byChance(drawsFrom(draw)))?.id]
    })
    expect(new Set(taken.map(([id]) => id)).size).toBe(3)
    expect(taken.map(([, replayed]) => replayed)).toEqual(taken.map(([id]) => id))
  })
})
