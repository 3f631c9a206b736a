import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readStatedRatios, spreadOf, verdictOn } from './stated-ratios.ts'

const page = readFileSync(join(import.meta.dirname, '../../../docs/benchmarks.md'), 'utf8')

it('reads ratios and aims from tables that have such columns', () => {
  const text = [
    '| | floor | ratio | aim |',
    '|---|---|---|---|',
    '| plain answers, 2,000 per second, CPU per request | 86 µs | 2.5 | 2.0 |',
    '| calls per second against 3665aa33 | | to be measured | ≥ 2.4 |',
    '| memory | 3 | | |',
    '',
    '| part | gateway |',
    '|---|---|',
    '| undici | 10 |',
  ].join('\n')
  expect([...readStatedRatios(text)]).toEqual([
    ['plain answers, 2000 per second', { stated: 2.5, aim: 2, moreIsBetter: false }],
    ['calls per second against 3665aa33', { stated: undefined, aim: 2.4, moreIsBetter: true }],
  ])
})

it('finds every ratio that the bench judges on the page', () => {
  const names = [...readStatedRatios(page).keys()]
  for (const name of [
    'plain answers, 32 at a time',
    'plain answers, 2000 per second',
    'streams of 50 chunks, 32 at a time',
    'streams of 50 chunks, 300 per second',
    'fresh: plain answers, 32 at a time, cpu ÷ floor',
    'fresh: streams of 50 chunks, 32 at a time, cpu ÷ floor',
    'fresh: plain answers, 2000 per second, cpu ÷ floor',
    'fresh: first seconds, cpu per call, against 3665aa33',
    'fresh: plain answers, 32 at a time, calls per second, against 3665aa33',
    'fresh: plain answers, 32 at a time, cpu per call, against 3665aa33',
    'fresh: streams of 50 chunks, 32 at a time, calls per second, against 3665aa33',
  ])
    expect(names).toContain(name)
})

it('takes for worse what is beyond what is stated and the noise, in the direction that counts', () => {
  const less = { stated: 2, aim: 1.5, moreIsBetter: false }
  expect(verdictOn('a', { measured: 2.1, noise: 0.1, stated: less }).isWorse).toBe(false)
  expect(verdictOn('a', { measured: 2.3, noise: 0.1, stated: less }).isWorse).toBe(true)
  const more = { stated: 2, aim: 2.4, moreIsBetter: true }
  expect(verdictOn('a', { measured: 1.9, noise: 0.1, stated: more }).isWorse).toBe(false)
  expect(verdictOn('a', { measured: 1.7, noise: 0.1, stated: more }).isWorse).toBe(true)
  expect(verdictOn('a', { measured: 9, noise: 0, stated: { ...less, stated: undefined } }).isWorse).toBe(false)
  expect(verdictOn('a', { measured: 9, noise: 0, stated: undefined }).isWorse).toBe(false)
  expect(spreadOf([10, 12, 11])).toBeCloseTo(0.2)
})
