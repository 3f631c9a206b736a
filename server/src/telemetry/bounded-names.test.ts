import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createBoundedNames, otherName } from './bounded-names.ts'

describe('bounded names', () => {
  it('keep the names that come first, and count all others as one', () => {
    const names = createBoundedNames(2)
    expect(['a', 'b', 'c', 'a'].map(names.of)).toEqual(['a', 'b', otherName, 'a'])
  })

  it('give a place to a name that is used more than one that has it', () => {
    const names = createBoundedNames(2)
    for (const name of ['a', 'b', 'c', 'c', 'c', 'a']) names.of(name)
    expect(names.settle()).toEqual(['b'])
    expect(['a', 'b', 'c'].map(names.of)).toEqual(['a', otherName, 'c'])
  })

  it('leave a name its place against one that is used as much', () => {
    const names = createBoundedNames(1)
    for (const name of ['a', 'b']) names.of(name)
    expect(names.settle()).toEqual([])
    expect(names.of('a')).toBe('a')
  })

  it('never answer more names than the bound between two looks', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.integer({ min: 1, max: 5 }), (uses, most) => {
        const names = createBoundedNames(most)
        expect(new Set(uses.map(names.of).filter((name) => name !== otherName)).size).toBeLessThanOrEqual(most)
        names.settle()
        expect(new Set(uses.map(names.of).filter((name) => name !== otherName)).size).toBeLessThanOrEqual(most)
      }),
    )
  })
})
