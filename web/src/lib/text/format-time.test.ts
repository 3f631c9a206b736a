import { afterEach, describe, expect, it, vi } from 'vitest'
import { languages } from '../i18n.ts'
import {
  formatDay,
  formatMoment,
  formatMonth,
  formatRowMoment,
  formatShortDay,
  formatShortMoment,
} from './format-time.ts'

describe('moments', () => {
  const moment = Date.UTC(2026, 10, 22, 20, 13, 44) / 1000
  const english = { language: 'en', zone: 'UTC' } as const
  const chinese = { language: 'zh', zone: 'UTC' } as const

  afterEach(() => vi.useRealTimers())
  const at = (now: string): void => void vi.useFakeTimers({ now: new Date(now), toFake: ['Date'] })

  it('are written in the language of the reader, in Chinese without the present year', () => {
    at('2026-11-23T00:00:00Z')
    expect(formatMoment(moment, english)).toBe('22 Nov 2026, 20:13:44')
    expect(formatMoment(moment, english, true)).toBe('22 Nov 2026, 20:13')
    expect(formatMoment(moment, chinese)).toBe('11 月 22 日 20:13:44')
    at('2027-01-01T00:00:00Z')
    expect(formatMoment(moment, chinese)).toBe('2026 年 11 月 22 日 20:13:44')
  })

  it('are as short in rows as the present day allows', () => {
    at('2026-11-22T23:00:00Z')
    expect(formatRowMoment(moment, english)).toBe('20:13:44')
    at('2026-11-23T00:00:00Z')
    expect([english, chinese].map((reader) => formatRowMoment(moment, reader))).toEqual([
      '22 Nov 20:13:44',
      '11 月 22 日 20:13:44',
    ])
    at('2027-01-01T00:00:00Z')
    expect(formatRowMoment(moment, english)).toBe('22 Nov 2026 20:13:44')
  })

  it('on axes and in narrow places have no year, in any language', () => {
    const shown = languages.map(({ value }) => {
      const reader = { language: value, zone: 'UTC' }
      return [value, formatShortDay(moment, reader), formatShortMoment(moment, reader), formatMonth(moment, reader)]
    })
    expect(shown).toEqual([
      ['zh', '11/22', '11/22 20:13', '2026 年 11 月'],
      ['zh-TW', '11/22', '11/22 20:13', '2026 年 11 月'],
      ['en', '22 Nov', '22 Nov 20:13', 'November 2026'],
      ['fr', '22 nov.', '22 nov. 20:13', 'novembre 2026'],
      ['ja', '11/22', '11/22 20:13', '2026年11月'],
      ['ru', '22 нояб.', '22 нояб. 20:13', 'ноябрь 2026 г.'],
      ['vi', '22 thg 11', '22 thg 11, 20:13', 'tháng 11 năm 2026'],
    ])
  })

  it('in sentences and rows name their month in the language of the reader', () => {
    at('2027-01-01T00:00:00Z')
    const shown = languages.map(({ value }) => {
      const reader = { language: value, zone: 'UTC' }
      return [value, formatMoment(moment, reader, true), formatRowMoment(moment, reader)]
    })
    expect(shown).toEqual([
      ['zh', '2026 年 11 月 22 日 20:13', '2026 年 11 月 22 日 20:13:44'],
      ['zh-TW', '2026 年 11 月 22 日 20:13', '2026 年 11 月 22 日 20:13:44'],
      ['en', '22 Nov 2026, 20:13', '22 Nov 2026 20:13:44'],
      ['fr', '22 nov. 2026, 20:13', '22 nov. 2026 20:13:44'],
      ['ja', '2026年11月22日 20:13', '2026年11月22日 20:13:44'],
      ['ru', '22 нояб. 2026 г., 20:13', '22 нояб. 2026 г. 20:13:44'],
      ['vi', '22 thg 11, 2026, 20:13', '22 thg 11, 2026, 20:13:44'],
    ])
  })

  it('are days of the zone in which they are read', () => {
    expect(formatDay(moment, { language: 'en', zone: 'Asia/Shanghai' })).toBe('23 Nov 2026')
    expect(formatShortMoment(moment, { language: 'en', zone: 'Asia/Shanghai' })).toBe('23 Nov 04:13')
  })
})
