import { expect, it } from 'vitest'
import { soundLength } from './sound-length.ts'

const bytes = (length: number): Uint8Array => new Uint8Array(length).fill(0xff)

it('stops where bytes only look like sound, without blocking other work', async () => {
  let turns = 0
  const ticking = setInterval(() => {
    turns += 1
  }, 10)
  const began = process.cpuUsage()
  expect(await soundLength({ bytes: bytes(20_000_000), type: 'audio/mpeg', name: 'a.mp3' })).toBeUndefined()
  clearInterval(ticking)
  const { user, system } = process.cpuUsage(began)
  expect((user + system) / 1000).toBeLessThan(10_000)
  expect(turns).toBeGreaterThan(20)
})

it('knows nothing of what is no sound', async () => {
  expect(
    await soundLength({ bytes: new TextEncoder().encode('hello'), type: 'text/plain', name: 'a.txt' }),
  ).toBeUndefined()
})
