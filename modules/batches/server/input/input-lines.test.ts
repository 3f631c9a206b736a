import { expect, it } from 'vitest'
import { type InputLine, type InputPlace, inputLines, inputStart } from './input-lines.ts'

async function* inPieces(text: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < text.length; at += size) yield text.subarray(at, at + size)
}

const all = async (text: Buffer, size: number, from: InputPlace = inputStart): Promise<InputLine[]> => {
  const lines: InputLine[] = []
  for await (const line of inputLines(inPieces(text.subarray(from.offset), size), from, 100)) lines.push(line)
  return lines
}

const text = Buffer.from('\ufeff{"a":1}\r\n\n{"b":"ü"}\n  \n{"c":3}')

it.each([1, 2, 3, 7, 1000])('cuts lines from pieces of %i bytes', async (size) => {
  const lines = await all(text, size)
  expect(lines.map(({ line, text: cut }) => [line, cut])).toEqual([
    [1, '{"a":1}'],
    [3, '{"b":"ü"}'],
    [5, '{"c":3}'],
  ])
  expect(lines.at(-1)?.end.offset).toBe(text.length)
})

it('goes on from the place of any line', async () => {
  const lines = await all(text, 4)
  for (const [index, { line, offset }] of lines.entries())
    expect(await all(text, 5, { line, offset })).toEqual(lines.slice(index))
})

it('notices a line that is too long, and reads the next', async () => {
  const long = Buffer.from(`${'x'.repeat(300)}\nshort`)
  expect((await all(long, 7)).map((line) => line.text)).toEqual([undefined, 'short'])
})
