import { describe, expect, it } from 'vitest'
import { dayCell, numberCell } from './cells.ts'
import { csvRows, readCsv } from './csv.ts'

const rowsOf = (text: string): string[][] => [...csvRows(text)]

describe('rows of a CSV file', () => {
  it.each([
    ['plain', 'a,b\n1,2\n'],
    ['with a byte order mark and line ends of Windows', '\uFEFFa,b\r\n1,2\r\n'],
    ['separated by semicolons', 'a;b\n1;2'],
    ['separated by tabs', 'a\tb\n1\t2'],
    ['with quotes', '"a","b"\n"1","2"'],
    ['with empty lines', 'a,b\n\n1,2\n,\n'],
  ])('%s', (_, text) => {
    expect(rowsOf(text)).toEqual([
      ['a', 'b'],
      ['1', '2'],
    ])
  })

  it('hold delimiters, quotes and line ends within quotes', () => {
    expect(rowsOf('a,b\n"x, ""y""\nz",2')).toEqual([
      ['a', 'b'],
      ['x, "y"\nz', '2'],
    ])
  })

  it('end with the text where a quote does not', () => {
    expect(rowsOf('a,b\n"1,2\n3,4')).toEqual([['a', 'b'], ['1,2\n3,4']])
  })

  it('are read by the names of their columns, whatever their case', async () => {
    const found: string[] = []
    await readCsv(
      'lineItem/UsageType,Cost\nx,1\ny,2',
      (has) => expect([has('line_item_usage_type'), has('price')]).toEqual([true, false]),
      (record) => found.push(`${record.line} ${record.text('none', 'line_item_usage_type')} ${record.text('COST')}`),
    )
    expect(found).toEqual(['2 x 1', '3 y 2'])
  })
})

describe('cells', () => {
  const day = Date.UTC(2026, 10, 5) / 1000
  it.each([
    '2026-11-05',
    '11/05/2026',
    '20261105',
    '2026-11-05T23:59:59Z',
    '2026-11-05 23:59:59',
    '2026-11-05 23:59:59 UTC',
    '2026-11-06T00:30:00+01:00',
    '2026-11-05 12:00:00.000+00:00',
    String(day + 80_000),
    String((day + 80_000) * 1000),
  ])('%s is a day', (text) => expect(dayCell({ text, line: 2, column: 'date' })).toBe(day))

  it.each(['', 'yesterday', '2026-13-05', '02/30/2026', '05.11.2026'])('"%s" is no day', (text) => {
    expect(() => dayCell({ text, line: 7, column: 'Date' })).toThrow('Line 7 of the report: Date cannot be read')
  })

  it.each([
    ['$1,234.50', 123_450n, 2],
    ['', 0n, 0],
    ['1.5e-7', 15n, 8],
  ])('"%s" is an exact number', (text, digits, scale) => {
    expect(numberCell({ text, line: 2, column: 'cost' })).toEqual({ digits, scale })
  })

  it('is no number where it is a word', () => {
    expect(() => numberCell({ text: 'free', line: 3, column: 'cost' })).toThrow(
      'Line 3 of the report: cost cannot be read',
    )
  })
})
