import { expect, it } from 'vitest'
import { isJsonType, type LineWriter, ndjsonLines, someAtOnce } from './ndjson.ts'

const read = async (lines: AsyncIterable<string>): Promise<string> => {
  let text = ''
  for await (const part of lines) text += part
  return text
}

it('yields each line at once, and an empty line while nothing is written', async () => {
  const later = Promise.withResolvers<void>()
  const lines = ndjsonLines(async ({ write }: LineWriter<{ id: number }>) => {
    write({ id: 1 })
    await later.promise
    write({ id: 2 })
  }, 5)
  expect((await lines.next()).value).toBe('{"id":1}\n')
  expect((await lines.next()).value).toBe('\n')
  later.resolve()
  expect((await read(lines)).trim()).toBe('{"id":2}')
})

it('yields all lines before it throws', async () => {
  const lines = ndjsonLines(async ({ write }: LineWriter<string>) => {
    write('known')
    throw new Error('no disk')
  })
  expect((await lines.next()).value).toBe('"known"\n')
  await expect(lines.next()).rejects.toThrow('no disk')
})

it('starts no more items after the reader left, and never more than the limit at once', async () => {
  let begun = 0
  let running = 0
  let most = 0
  const lines = ndjsonLines(({ write, isOpen }: LineWriter<number>) =>
    someAtOnce([...Array(50).keys()], { atOnce: 3, while: isOpen }, async (item) => {
      begun += 1
      running += 1
      most = Math.max(most, running)
      await new Promise((resolve) => setTimeout(resolve, 5))
      running -= 1
      write(item)
    }),
  )
  await lines.next()
  await lines.return(undefined)
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(most).toBe(3)
  expect(begun).toBeLessThan(10)
})

it.each([
  ['application/json', true],
  ['application/JSON; charset=utf-8', true],
  ['application/problem+json', true],
  ['application/json-patch+json', true],
  ['application/x-jsonl', false],
  ['application/jsonlines', false],
  ['application/x-ndjson', false],
  ['application/json-seq', false],
  ['text/plain', false],
])('%s is one JSON value: %s', (type, is) => expect(isJsonType(type)).toBe(is))
