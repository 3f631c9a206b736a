import { expect, it } from 'vitest'
import { openReadiness } from './readiness.ts'

const stopper = (stops: boolean) => {
  const listeners: (() => void)[] = []
  let now = stops
  return {
    stops: () => now,
    watch: (listener: () => void) => void listeners.push(listener),
    set(next: boolean) {
      now = next
      for (const listener of listeners) listener()
    },
  }
}

it('follows everybody who keeps calls from beginning, and names the first of them', () => {
  const [disk, stranger] = [stopper(false), stopper(true)]
  const readiness = openReadiness(
    new Map([
      ['recording_failed', disk],
      ['other_gateway_serves', stranger],
    ]),
  )
  expect(readiness.refusal).toBe('other_gateway_serves')
  disk.set(true)
  expect(readiness.refusal).toBe('recording_failed')
  stranger.set(false)
  expect(readiness.refusal).toBe('recording_failed')
  disk.set(false)
  expect(readiness.refusal).toBeUndefined()
})
