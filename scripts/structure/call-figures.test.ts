import { expect, it } from 'vitest'
import { compareFigures } from './call-figures.ts'
import { commonTrace, figuresOf } from './traced-call.ts'

it('tells figures that grew from figures that fell, and takes a feature that is not listed for one that may cost nothing', () => {
  const allowed = { plainCall: { files: 2, functions: 3, returns: 4 }, features: { a: { off: 1, on: 0 } } }
  const found = {
    plainCall: { files: 3, functions: 2, returns: 4 },
    features: { a: { off: 0, on: 0 }, b: { off: 1, on: 0 } },
  }
  const { above, below } = compareFigures(found, allowed)
  expect(above).toEqual(['files of a plain call: 3, at most 2', 'files of "b" while it is off: 1, at most 0'])
  expect(below).toHaveLength(2)
})

it('leaves out what another job did during one of several traces', () => {
  const call = [
    ['a', 'f'],
    ['b', 'g'],
    ['a', 'f'],
  ] as const
  const disturbed = [
    ['a', 'f'],
    ['job', 'x'],
    ['b', 'g'],
    ['a', 'f'],
  ] as const
  expect(figuresOf(commonTrace([disturbed, call]))).toEqual({ files: 2, functions: 2, returns: 1 })
})
