import { expect, it } from 'vitest'
import { newAccessToken, newRequestId, newSessionId, newTokenKey, randomAlphanumerics, timeText } from './ids.ts'

it('names a request by local time, nine digits and eight random characters', () => {
  const now = new Date(2026, 10, 21, 9, 5, 7, 45).getTime()
  expect(newRequestId(now)).toMatch(/^20261121090507045000000[A-Za-z0-9]{8}$/)
  expect(newRequestId(now + 1000)).toMatch(/^20261121090508/)
  expect(timeText(now)).toBe('20261121090507')
})

it('never names two requests alike', () => {
  const ids = new Set(Array.from({ length: 20_000 }, () => newRequestId()))
  expect(ids.size).toBe(20_000)
})

it('makes keys of the agreed length from letters and digits only', () => {
  expect(newTokenKey()).toMatch(/^[A-Za-z0-9]{48}$/)
  expect(newSessionId()).toMatch(/^[A-Za-z0-9]{43}$/)
  expect(newAccessToken()).toMatch(/^[A-Za-z0-9]{32}$/)
})

it('uses every character about equally often', () => {
  const counts = new Map<string, number>()
  for (const character of randomAlphanumerics(620_000)) counts.set(character, (counts.get(character) ?? 0) + 1)
  expect(counts.size).toBe(62)
  // 10,000 expected, standard deviation 99: a bias from a plain modulo would put eight characters at about 12,100.
  expect(Math.max(...counts.values())).toBeLessThan(11_000)
  expect(Math.min(...counts.values())).toBeGreaterThan(9000)
})
