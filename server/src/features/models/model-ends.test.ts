import { expect, it } from 'vitest'
import { modelsEnding } from '../notices/texts.ts'
import { endsToTell } from './model-ends.ts'

const end = (model: string, day: string) => ({ model, day, replacedBy: '' })
const at = (day: string): number => Date.parse(`${day}T12:00:00Z`)
const endsOn = (day: string, before?: string): string[] =>
  endsToTell(
    [end('old', '2026-12-31'), end('older', '2026-12-05'), end('gone', '2026-11-01')],
    before === undefined ? undefined : at(before),
    at(day),
  ).map(({ model }) => model)

it('tells of each end 30, 7 and 1 days before, once, also where nobody looked on that day', () => {
  expect(endsOn('2026-11-24', '2026-11-23')).toEqual([])
  expect(endsOn('2026-11-28', '2026-11-27')).toEqual(['older'])
  expect(endsOn('2026-11-30', '2026-11-26')).toEqual(['older'])
  expect(endsOn('2026-12-01', '2026-11-30')).toEqual(['old'])
  expect(endsOn('2026-12-04', '2026-12-03')).toEqual(['older'])
  expect(endsOn('2026-12-30', '2026-12-10')).toEqual(['old'])
})

it('tells of all that end within 30 days when it looks for the first time, and of none that has ended', () => {
  expect(endsOn('2026-12-02')).toEqual(['older', 'old'])
  expect(endsOn('2027-01-02')).toEqual([])
})

it('names them in one notice, with what follows each, twenty at most', () => {
  const ends = Array.from({ length: 22 }, (_, index) => ({ ...end(`m${index}`, '2026-12-31'), replacedBy: 'new' }))
  const { kind, title, content } = modelsEnding(ends)('en')
  expect([kind, title]).toEqual(['models_ending', 'Models retiring soon: 22'])
  expect(content).toContain('m0: 2026-12-31 (replaced by new)')
  expect(content).toContain('and 2 more')
  expect(modelsEnding([end('old', '2026-12-31')])('zh').title).toBe('1 个模型即将停用')
})
