import { describe, expect, it } from 'vitest'
import { printRange, readRange } from '../time/time-range.ts'
import {
  parseSearch,
  printList,
  printSearch,
  printSort,
  readList,
  readPageSize,
  readSort,
  readWhole,
} from './url-state.ts'

describe('the address', () => {
  it('keeps lists and times readable, and drops what is empty', () => {
    const text = printSearch({ status: '1,3', model: 'a b&c', p: undefined, keyword: '' })
    expect(text).toBe('?status=1,3&model=a+b%26c')
    expect(parseSearch(text)).toEqual({ status: '1,3', model: 'a b&c' })
  })

  it.each([
    ['2', 2],
    ['0', 1],
    ['-3', 1],
    ['x', 1],
    [undefined, 1],
  ])('reads page %s', (text, page) => expect(readWhole(text, 1)).toBe(page))

  it('accepts only the offered page sizes', () => {
    expect(readPageSize('50', 10)).toBe(50)
    expect(readPageSize('33', 10)).toBe(10)
  })

  it('reads and prints order and lists', () => {
    expect(readSort('-created_time')).toEqual({ column: 'created_time', descending: true })
    expect(printSort({ column: 'name', descending: false })).toBe('name')
    expect(printList(readList('1,,3'))).toBe('1,3')
    expect(printList([])).toBeUndefined()
  })
})

describe('time ranges', () => {
  const now = 1_763_640_841
  it('keeps relative ranges relative', () => {
    expect(readRange('1h', now, '24h', undefined)).toEqual({ from: now - 3600, to: undefined })
    expect(readRange('all', now, '24h', undefined)).toEqual({ from: undefined, to: undefined })
  })
  it('reads back what it prints', () => {
    const range = { from: 10, to: 20 }
    expect(readRange(printRange(range), now, '24h', undefined)).toEqual(range)
    expect(readRange('..20', now, '24h', undefined)).toEqual({ from: undefined, to: 20 })
  })
  it('falls back when the address was written by hand', () => {
    expect(readRange('soon', now, '1h', undefined)).toEqual({ from: now - 3600, to: undefined })
  })
})
