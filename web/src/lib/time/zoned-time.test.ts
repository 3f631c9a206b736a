import { describe, expect, it } from 'vitest'
import { printPicked, readPicked } from './written-moment.ts'
import { startOfDay, startOfMonth } from './zoned-time.ts'

const at = (text: string): number => Date.parse(text) / 1000

describe('a day', () => {
  const now = at('2026-11-20T20:14:01Z')

  it.each([
    ['UTC', 0, '2026-11-20T00:00:00Z'],
    ['Asia/Shanghai', 0, '2026-11-20T16:00:00Z'],
    ['Asia/Shanghai', 1, '2026-11-19T16:00:00Z'],
    ['America/New_York', 0, '2026-11-20T05:00:00Z'],
    ['America/New_York', 30, '2026-10-21T04:00:00Z'],
    ['Asia/Kathmandu', 0, '2026-11-20T18:15:00Z'],
  ])('begins at midnight in %s, %d days ago', (zone, back, moment) => {
    expect(startOfDay(now, back, zone)).toBe(at(moment))
  })

  it('begins at midnight on the days when clocks are changed', () => {
    expect(startOfDay(at('2026-03-29T12:00:00Z'), 0, 'Europe/Berlin')).toBe(at('2026-03-28T23:00:00Z'))
    expect(startOfDay(at('2026-10-25T12:00:00Z'), 0, 'Europe/Berlin')).toBe(at('2026-10-24T22:00:00Z'))
  })

  it('begins with its first moment where it has no midnight', () => {
    expect(startOfDay(at('2026-03-29T12:00:00Z'), 0, 'Asia/Beirut')).toBe(at('2026-03-28T22:00:00Z'))
  })

  it('begins in the browser’s own zone where none was chosen', () => {
    const here = new Date(2026, 10, 20, 20, 14, 1).getTime() / 1000
    expect(startOfDay(here, 0, undefined)).toBe(new Date(2026, 10, 20).getTime() / 1000)
  })
})

it('knows where months begin', () => {
  expect(startOfMonth(at('2026-10-31T23:30:00Z'), 'UTC')).toBe(at('2026-10-01T00:00:00Z'))
  expect(startOfMonth(at('2026-10-31T23:30:00Z'), 'Asia/Shanghai')).toBe(at('2026-10-31T16:00:00Z'))
})

describe('the picker', () => {
  it.each(['UTC', 'Asia/Shanghai', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Chatham'])(
    'gives back in %s what it was given',
    (zone) => {
      for (let day = 0; day < 365; day += 5) {
        const moment = at('2026-01-01T03:30:00Z') + day * 86_400
        expect(readPicked(printPicked(moment, zone), zone)).toBe(moment)
      }
    },
  )

  it('means the hour of the zone', () => {
    expect(printPicked(at('2026-11-20T20:14:01Z'), 'Asia/Shanghai')).toBe('2026-11-21 04:14')
    expect(readPicked('2026-11-21 04:14', 'Asia/Shanghai')).toBe(at('2026-11-20T20:14:00Z'))
    expect(readPicked('2026-11-21T04:14:30', 'Asia/Shanghai')).toBe(at('2026-11-20T20:14:30Z'))
  })

  it.each(['', 'soon', '2026-13-01T00:00'])('means nothing where it holds %j', (text) => {
    expect(readPicked(text, 'UTC')).toBeUndefined()
  })

  it('takes the first of an hour that comes twice, and a moment near one that never comes', () => {
    expect(readPicked('2026-10-25T02:30', 'Europe/Berlin')).toBe(at('2026-10-25T00:30:00Z'))
    expect(readPicked('2026-03-29T02:30', 'Europe/Berlin')).toBe(at('2026-03-29T01:30:00Z'))
  })
})
