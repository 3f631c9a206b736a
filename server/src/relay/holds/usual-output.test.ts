import { expect, it } from 'vitest'
import { firstAnswer, openUsualOutput } from './usual-output.ts'

const ofLength = (tokens: number) => ({ ...firstAnswer, tokens })

it('expects 500 tokens of a model that has not answered yet', () => {
  expect(openUsualOutput().of('m')).toEqual({ tokens: 500, place: undefined, tier: undefined })
})

it('settles where about nine of ten answers are no longer', () => {
  const usual = openUsualOutput()
  for (let index = 0; index < 5000; index += 1) usual.learn('m', ofLength(((index * 7919) % 1000) * 4))
  const shorter = Array.from({ length: 1000 }, (_, index) => index * 4).filter(
    (tokens) => tokens <= usual.of('m').tokens,
  )
  expect(shorter.length).toBeGreaterThan(650)
  expect(shorter.length).toBeLessThan(950)
  expect(usual.of('other')).toEqual(firstAnswer)
})

it('never expects less than 500 tokens, however short the answers are', () => {
  const usual = openUsualOutput()
  for (let index = 0; index < 1000; index += 1) usual.learn('m', ofLength(1))
  expect(usual.of('m').tokens).toBe(500)
})

it('is not carried away by one absurd report', () => {
  const usual = openUsualOutput()
  usual.learn('m', ofLength(1e15))
  expect(usual.of('m').tokens).toBeLessThanOrEqual(40_400)
})

it('knows the place and the tier that the last answer stated, whatever its length', () => {
  const usual = openUsualOutput()
  usual.learn('m', ofLength(1000))
  usual.learn('m', { tokens: 0, place: 'us', tier: 'priority' })
  expect(usual.of('m')).toEqual({ tokens: 600, place: 'us', tier: 'priority' })
  usual.learn('m', ofLength(0))
  expect(usual.of('m')).toEqual(ofLength(600))
})

it('keeps a bounded number of models', () => {
  const usual = openUsualOutput()
  for (let index = 0; index < 5000; index += 1) usual.learn(`m${index}`, ofLength(1000))
  expect(usual.of('m4999').tokens).toBe(600)
  expect(usual.of('m0').tokens).toBe(500)
})
