import { expect, it } from 'vitest'
import { changedTexts } from './changed.ts'
import type { SourceText } from './sources.ts'

const text = (namespace: string, key: string, en: string, zh: string): SourceText => ({
  group: namespace,
  namespace,
  key,
  counts: false,
  en,
  zh,
})

it('pairs texts by their keys, and phrases, whose key is their text, by the Chinese one', () => {
  const before = [
    text('log', 'a', 'Old', '旧'),
    text('log', 'b', 'Same', '同'),
    text('phrases', 'Keep', 'Keep', '保留'),
  ]
  const after = [
    text('log', 'a', 'New', '旧'),
    text('log', 'b', 'Same', '同'),
    text('phrases', 'Store', 'Store', '保留'),
  ]
  expect(changedTexts(before, after).map((pair) => [pair.before.en, pair.after.en])).toEqual([
    ['Old', 'New'],
    ['Keep', 'Store'],
  ])
})

it('leaves out texts that came or went', () => {
  expect(changedTexts([text('log', 'a', 'Gone', '去')], [text('log', 'b', 'Came', '来')])).toEqual([])
})
