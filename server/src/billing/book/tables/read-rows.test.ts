import { describe, expect, it } from 'vitest'
import holidays from './holidays.json' with { type: 'json' }
import { readRows } from './read-rows.ts'

const source = 'https://example.com/prices (2026-11)'
const row = { models: ['one'], provider: 'test', source, rates: { input: 1 } }
const table = { about: 'Prices of a test.', rows: [row] }

describe('a table of prices', () => {
  it('gives its rows the source of the table where they have none of their own', () => {
    const { source: _source, ...without } = row
    const { added } = readRows({
      ...table,
      source,
      rows: [without, { ...row, source: 'https://example.com (2025-01)' }],
    })
    expect(added.map((row) => row.source)).toEqual([source, 'https://example.com (2025-01)'])
    expect(() => readRows({ ...table, rows: [without] })).toThrow('no source')
  })

  it('tells corrections of the catalogue from models that it lacks, and drops notes', () => {
    const correction = { ...row, models: ['two'], correction: true, note: 'Why it is so.' }
    const { added, corrections } = readRows({ ...table, rows: [correction, row] })
    expect(added).toEqual([row])
    expect(corrections).toEqual([{ ...row, models: ['two'] }])
  })

  it('states yuan in dollars, to the tenth digit', () => {
    const contexts = [{ above: 100, rates: { input: 7.2 } }]
    const [yuan] = readRows({ ...table, rows: [{ ...row, currency: 'CNY', rates: { input: 1 }, contexts }] }).added
    expect(yuan).toEqual({ ...row, rates: { input: 0.1388888889 }, contexts: [{ above: 100, rates: { input: 1 } }] })
  })

  it('has the holidays of the calendar that it names', () => {
    const peak = { hours: [[1, 4]], holidays: 'china', factor: 2 }
    const [priced] = readRows({ ...table, rows: [{ ...row, peak }] }).added
    expect(priced?.peak).toEqual({ hours: [[1, 4]], except: holidays.china.days, factor: 2 })
    expect(holidays.china.days).toEqual(holidays.china.days.toSorted())
  })

  it.each([
    ['a kind that no bill knows', { rates: { inputs: 1 } }],
    ['a price below nothing', { rates: { input: -1 } }],
    ['an id in capitals, which no look-up finds', { models: ['One'] }],
    ['no model', { models: [] }],
    ['a page without a month', { source: 'https://example.com/prices' }],
    ['another currency', { currency: 'EUR' }],
    ['a calendar that is not there', { peak: { hours: [[1, 4]], holidays: 'nowhere', factor: 2 } }],
    ['a member that is none of a row', { price: 1 }],
  ])('refuses %s', (_, changed) => {
    expect(() => readRows({ ...table, rows: [{ ...row, ...changed }] })).toThrow()
  })
})
