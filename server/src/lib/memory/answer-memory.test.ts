import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type AnswerMemory, type AnswerPlace, openAnswerMemory } from './answer-memory.ts'

const mebibyte = 1024 * 1024
let now = 0
let memory: AnswerMemory

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  now = 0
  // Room for 2 MiB.
  memory = openAnswerMemory({ memoryBytes: 100 * mebibyte, now: () => now })
})
afterEach(() => {
  vi.useRealTimers()
})

interface Entered {
  readonly place: AnswerPlace
  isPaused: boolean
}

const enter = (): Entered => {
  const entered: Entered = {
    place: memory.enter({
      pause: () => {
        entered.isPaused = true
      },
      resume: () => {
        entered.isPaused = false
      },
    }),
    isPaused: false,
  }
  return entered
}

it('bounds one answer by a tenth of the memory', () => {
  expect(memory.largest).toBe(10 * mebibyte)
})

it('lets the oldest answer go on where all together are too large, and the others after it', () => {
  const [first, second, third] = [enter(), enter(), enter()]
  first.place.grow(mebibyte)
  second.place.grow(Math.floor((10 * mebibyte) / 7) - mebibyte)
  third.place.grow(100)
  expect([first, second, third].map(({ isPaused }) => isPaused)).toEqual([false, false, true])
  first.place.grow(9 * mebibyte)
  second.place.grow(mebibyte + 1)
  expect([first, second, third].map(({ isPaused }) => isPaused)).toEqual([false, true, true])
  first.place.end()
  expect([second, third].map(({ isPaused }) => isPaused)).toEqual([false, false])
  second.place.grow(3 * mebibyte)
  third.place.grow(200)
  expect([second, third].map(({ isPaused }) => isPaused)).toEqual([false, true])
  second.place.end()
  second.place.end()
  expect(third.isPaused).toBe(false)
})

it('waits for clients to take what they have got, and cuts those off that take nothing', () => {
  const cut: string[] = []
  const slow = memory.unsent({ bytes: mebibyte, cut: () => cut.push('slow') })
  const slower = memory.unsent({ bytes: 2 * mebibyte + 1, cut: () => cut.push('slower') })
  const answer = enter()
  answer.place.grow(100)
  expect(answer.isPaused).toBe(true)
  now = 14_500
  vi.advanceTimersByTime(5000)
  expect(cut).toEqual(['slow'])
  slow()
  expect(answer.isPaused).toBe(true)
  slower()
  slower()
  expect(answer.isPaused).toBe(false)
  now = 1_000_000
  memory.unsent({ bytes: 3 * mebibyte, cut: () => cut.push('alone') })
  now = 2_000_000
  vi.advanceTimersByTime(60_000)
  // No other answer waits for it.
  expect(cut).toEqual(['slow'])
})

it('holds back all but the oldest where the process has grown', () => {
  memory = openAnswerMemory({ memoryBytes: 100 * mebibyte, now: () => now, pressure: { allows: () => false } })
  const [first, second] = [enter(), enter()]
  first.place.grow(100)
  second.place.grow(100)
  expect([first.isPaused, second.isPaused]).toEqual([false, true])
  first.place.end()
  expect(second.isPaused).toBe(false)
})
