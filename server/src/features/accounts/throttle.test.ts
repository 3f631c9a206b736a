import { expect, it } from 'vitest'
import { createLoginThrottle } from './throttle.ts'

const setUp = () => {
  let now = 0
  const throttle = createLoginThrottle(() => now)
  return {
    pass: (seconds: number) => {
      now += seconds * 1000
    },
    succeed: (account: string, address: string) => throttle.succeeded({ account, address }),
    /** 0 when the attempt may go on, else the seconds to wait. */
    attempt: (account: string, address: string): number => {
      try {
        throttle.attempt({ account, address })
        return 0
      } catch (error) {
        return Number((error as { params: { seconds: number } }).params.seconds)
      }
    },
  }
}

it('lets five guesses pass, then doubles the wait up to a minute', () => {
  const { attempt, pass } = setUp()
  for (let guess = 0; guess < 5; guess += 1) expect(attempt('id:1', `10.0.0.${guess}`)).toBe(0)
  const waits: number[] = []
  for (let guess = 5; guess < 13; guess += 1) {
    const wait = attempt('id:1', `10.0.0.${guess}`)
    waits.push(wait)
    pass(wait)
    expect(attempt('id:1', `10.0.0.${guess}`)).toBe(0)
  }
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60])
})

it('counts guesses before they are answered, so that parallel ones gain nothing', () => {
  const { attempt } = setUp()
  const allowed = Array.from({ length: 50 }, (_, guess) => attempt('id:1', `10.0.0.${guess}`)).filter(
    (wait) => wait === 0,
  )
  expect(allowed).toHaveLength(5)
})

it('slows an address that tries many accounts', () => {
  const { attempt } = setUp()
  for (let guess = 0; guess < 10; guess += 1) expect(attempt(`id:${guess}`, '1.1.1.1')).toBe(0)
  expect(attempt('id:99', '1.1.1.1')).toBe(1)
  expect(attempt('id:99', '2.2.2.2')).toBe(0)
})

it('starts an account afresh after a success, but not its address', () => {
  const { attempt, succeed } = setUp()
  for (let guess = 0; guess < 4; guess += 1) attempt('id:1', '1.1.1.1')
  attempt('id:1', '1.1.1.1')
  succeed('id:1', '1.1.1.1')
  for (let guess = 0; guess < 5; guess += 1) expect(attempt('id:1', '1.1.1.1')).toBe(0)
  expect(attempt('id:2', '1.1.1.1')).toBe(0)
  expect(attempt('id:3', '1.1.1.1')).toBe(1)
})

it('never lets guesses from elsewhere keep out an owner who signed in from there before', () => {
  const { attempt, succeed } = setUp()
  attempt('id:1', 'home')
  succeed('id:1', 'home')
  for (let guess = 0; guess < 30; guess += 1) attempt('id:1', `bot-${guess}`)
  expect(attempt('id:1', 'bot-x')).toBeGreaterThan(0)
  expect(attempt('id:1', 'home')).toBe(0)
})

it('forgets after an hour of quiet', () => {
  const { attempt, pass } = setUp()
  for (let guess = 0; guess < 9; guess += 1) attempt('id:1', '1.1.1.1')
  pass(3600)
  for (let guess = 0; guess < 5; guess += 1) expect(attempt('id:1', '1.1.1.1')).toBe(0)
})
