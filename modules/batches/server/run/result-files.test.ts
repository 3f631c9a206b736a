import { expect, it } from 'vitest'
import { utf8Chunks } from './result-files.ts'

const chunkLength = 64 * 1024

it.each([
  ['nothing', []],
  ['empty texts', ['', 'a', '']],
  ['one byte each', ['x'.repeat(chunkLength * 2 + 5), 'end']],
  ['up to four bytes each', ['aé日😀'.repeat(chunkLength)]],
  ['a pair across the end of a chunk', [`${'x'.repeat(chunkLength - 1)}😀${'y'.repeat(chunkLength)}`]],
  ['half a pair at the end', ['x\ud83d']],
])('gives the bytes of %s', async (_, texts) => {
  const all: Buffer[] = []
  const source = async function* () {
    yield* texts
  }
  for await (const chunk of utf8Chunks(source())) all.push(Buffer.from(chunk))
  expect(Buffer.concat(all).equals(Buffer.from(texts.join('')))).toBe(true)
})
