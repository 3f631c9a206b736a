import { describe, expect, it } from 'vitest'
import { openBase64Member } from './base64-member.ts'
import { openStringCutter } from './long-strings.ts'

/** A text in chunks of so many bytes. */
const chunksOf = (text: string, size: number): Buffer[] => {
  const bytes = Buffer.from(text)
  const count = Math.ceil(bytes.length / size)
  return Array.from({ length: count }, (_, index) => bytes.subarray(index * size, (index + 1) * size))
}
const sizes = [1, 2, 3, 5, 7, 64, 100_000]

describe('an answer with long texts', () => {
  const cut = (text: string, size: number, longest: number): string => {
    const cutter = openStringCutter(longest)
    return Buffer.concat(chunksOf(text, size).map(cutter)).toString()
  }

  it.each(sizes)('stays JSON with their beginnings, in chunks of %i bytes', (size) => {
    const answer = {
      name: 'short "quoted" \\ text',
      done: true,
      videos: [{ bytes: `${'A/'.repeat(500)}==`, 'a "name"': `é"\\${'\\"'.repeat(300)}` }],
      last: [1, 'b\u0001', null],
    }
    const read = JSON.parse(cut(JSON.stringify(answer), size, 40)) as typeof answer
    expect(read).toMatchObject({ name: answer.name, done: true, last: answer.last })
    const [video] = read.videos
    expect(video?.bytes).toBe('A/'.repeat(20))
    expect(answer.videos[0]?.['a "name"'].startsWith(video?.['a "name"'] ?? '-')).toBe(true)
    expect(video?.['a "name"'].length).toBeLessThan(60)
  })

  it.each(sizes)('is cut behind an escape, in chunks of %i bytes', (size) => {
    for (const longest of [1, 2, 3, 4, 5, 6, 7]) {
      const read = JSON.parse(cut('{"a":"xy\\u00e9\\/z\\\\","b":"\\\\\\"q\\u0041"}', size, longest)) as {
        a: string
        b: string
      }
      expect('xyé/z\\'.startsWith(read.a)).toBe(true)
      expect('\\"qA'.startsWith(read.b)).toBe(true)
    }
  })
})

describe('a member with Base64', () => {
  const movie = Buffer.from(Array.from({ length: 1_000 }, (_, index) => (index * 7) % 256))
  const read = (text: string, size: number) => {
    const member = openBase64Member('bytesBase64Encoded')
    const bytes = Buffer.concat(chunksOf(text, size).map((chunk) => member.take(chunk)))
    return { bytes, isWhole: member.isWhole, isFound: member.isFound }
  }

  it.each(sizes)('is decoded from chunks of %i bytes, however it is escaped', (size) => {
    const escaped = movie.toString('base64').replaceAll('/', '\\/').replaceAll('=', '\\u003d')
    for (const text of [movie.toString('base64'), escaped]) {
      const answer = `{"done":true,"response":{"videos":[{ "bytesBase64Encoded" : "${text}","mimeType":"video/mp4"},{"bytesBase64Encoded":"AAAA"}]}}`
      expect(read(answer, size)).toEqual({ bytes: movie, isWhole: true, isFound: true })
    }
  })

  it('is not whole where the answer breaks off, and not found where there is none', () => {
    expect(read('{"bytesBase64Encoded":"AAAA', 4)).toMatchObject({ isFound: true, isWhole: false })
    expect(read(`{"videos":[{"gcsUri":"gs://b/o"}],"a":"${'x'.repeat(500)}"}`, 4)).toMatchObject({ isFound: false })
  })
})
