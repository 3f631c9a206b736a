import { expect, it } from 'vitest'
import { groupParts, type Load, type Part } from './chunk-groups.ts'

const part = (file: string, more: Partial<Part> = {}): Part => ({
  file,
  imports: [],
  modules: [file],
  bytes: 100,
  hasStyles: false,
  isFixed: false,
  ...more,
})
const load = (...files: string[]): Load => ({ files: new Set(files), weight: 1 })

it('joins what is loaded together, and small things that most loads need', () => {
  const loads = [load('a', 'b', 'c'), load('a', 'b', 'c'), load('a', 'b')]
  expect(groupParts([part('a'), part('b'), part('c')], loads).map((files) => files.toSorted())).toEqual([
    ['a', 'b', 'c'],
  ])
})

it('leaves apart what others would load in vain', () => {
  const loads = [load('a', 'b'), load('a'), load('a')]
  expect(groupParts([part('a'), part('b', { bytes: 50_000 })], loads)).toEqual([['a'], ['b']])
})

it('leaves fixed files as they are, and makes none import what imports it', () => {
  const parts = [
    part('page', { isFixed: true, imports: ['below'] }),
    part('below'),
    part('above', { imports: ['page'] }),
  ]
  const loads = [load('page', 'below', 'above'), load('page', 'below', 'above')]
  expect(groupParts(parts, loads)).toEqual([['below'], ['above']])
})
