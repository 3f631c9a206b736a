import { expect, it } from 'vitest'
import type { SectionPlace } from '../kinds.ts'
import { integer, section } from '../kinds.ts'
import { inOrder } from './section-order.ts'

const number = integer({ fallback: 0, label: { zh: '数', en: 'Number' } })
const named = (name: string, keys: readonly string[], behind?: SectionPlace) =>
  section({
    name,
    tab: 'operation',
    title: { zh: name, en: name },
    options: Object.fromEntries(keys.map((key) => [key, number])),
    ...(behind === undefined ? {} : { behind }),
  })
const kernel = [named('first', ['a', 'b']), named('second', ['c'])]
const drawn = (...modules: readonly ReturnType<typeof named>[]): string[] =>
  inOrder(kernel, modules).map(({ name, options }) => `${name}: ${Object.keys(options).join(' ')}`)

it('puts sections of modules behind those that they name, by position', () => {
  const later = named('later', ['x'], { section: 'first', position: 2 })
  const sooner = named('sooner', ['y'], { section: 'first', position: 1 })
  const apart = named('apart', ['z'], { section: 'removed', position: 1 })
  expect(drawn(later, apart, sooner)).toEqual(['first: a b', 'sooner: y', 'later: x', 'second: c', 'apart: z'])
})

it('puts options of modules into a section, behind the option that they name', () => {
  const within = named('within', ['x', 'y'], { section: 'first', position: 1, option: 'a' })
  expect(drawn(within)).toEqual(['first: a x y b', 'second: c'])
  const unknown = named('unknown', ['x'], { section: 'first', position: 1, option: 'removed' })
  expect(drawn(unknown)).toEqual(['first: a b', 'unknown: x', 'second: c'])
})

it('puts options of modules ahead of those of the section that they name, by position', () => {
  const second = named('next', ['y'], { section: 'first', position: 2, isAhead: true })
  const first = named('front', ['x'], { section: 'first', position: 1, isAhead: true })
  const unknown = named('unknown', ['z'], { section: 'removed', position: 1, isAhead: true })
  expect(drawn(second, unknown, first)).toEqual(['first: x y a b', 'second: c', 'unknown: z'])
})
