import { expect, it } from 'vitest'
import { openUsualOutput } from './expected-call.ts'

it('expects 500 tokens of a model that has not answered yet', () => {
  expect(openUsualOutput().of('m')).toBe(500)
})

it('settles where about nine of ten answers are no longer', () => {
  const usual = openUsualOutput()
  for (let index = 0; index < 5000; index += 1) usual.learn('m', ((index * 7919) % 1000) * 4)
  const shorter = Array.from({ length: 1000 }, (_, index) => index * 4).filter((tokens) => tokens <= usual.of('m'))
  expect(shorter.length).toBeGreaterThan(650)
  expect(shorter.length).toBeLessThan(950)
  expect(usual.of('other')).toBe(500)
})

it('never expects less than 500 tokens, however short the answers are', () => {
  const usual = openUsualOutput()
  for (let index = 0; index < 1000; index += 1) usual.learn('m', 1)
  expect(usual.of('m')).toBe(500)
})

it('is not carried away by one absurd report', () => {
  const usual = openUsualOutput()
  usual.learn('m', 1e15)
  expect(usual.of('m')).toBeLessThanOrEqual(40_400)
})

it('keeps a bounded number of models', () => {
  const usual = openUsualOutput()
  for (let index = 0; index < 5000; index += 1) usual.learn(`m${index}`, 1000)
  expect(usual.of('m4999')).toBe(600)
  expect(usual.of('m0')).toBe(500)
})
