import { describe, expect, it } from 'vitest'
import { silence } from '../../../../test/support/relay/sound.ts'
import { mostSpokenTokens, secondsOf, spokenTokens } from './spoken-sound.ts'

const tagged = Buffer.concat([
  Buffer.from('ID3\x04\0\0\0\0\0\x05', 'latin1'),
  Buffer.alloc(5),
  Buffer.from([0xff, 0xfb, 0x90, 0]),
])

describe('the length of spoken sound', () => {
  it.each([
    ['MP3 of 128 kbit', 'audio/mpeg', Buffer.from([0xff, 0xfb, 0x90, 0]), 160_000, 10],
    ['MP3 of 160 kbit and 24 kHz', 'audio/mpeg', Buffer.from([0xff, 0xf3, 0xe4, 0xc4]), 200_000, 10],
    ['MP3 behind a tag', 'audio/mpeg', tagged, 160_000, 10],
    ['raw sound', 'audio/pcm', Buffer.alloc(0), 480_000, 10],
  ])('is read from the beginning and the size of %s', (_, type, head, bytes, seconds) => {
    expect(secondsOf(type, head, bytes)).toBe(seconds)
  })

  it('is read from the header of WAV', async () => {
    const file = Buffer.from(await silence(7).arrayBuffer())
    expect(secondsOf('audio/wav', file, file.length)).toBe(7)
  })

  it.each([
    ['audio/opus', Buffer.from('OggS')],
    ['audio/mpeg', Buffer.from('sound')],
    ['audio/mpeg', Buffer.alloc(0)],
    ['audio/wav', Buffer.alloc(50)],
  ])('is unknown of other sound: %s', (type, head) => expect(secondsOf(type, head, 1000)).toBeUndefined())
})

describe('tokens of spoken sound', () => {
  const text = 'a'.repeat(960)

  it('are 1250 a minute', () => expect(spokenTokens(text, 60)).toBe(1250))

  it('are those of the text where the sound cannot be read, in any script', () => {
    expect(spokenTokens(text, undefined)).toBe(1250)
    expect(spokenTokens('你'.repeat(320), undefined)).toBe(1250)
  })

  it('are never more than is held, however long the sound says it is', () => {
    expect(spokenTokens('Hi', 10_000)).toBe(mostSpokenTokens('Hi'))
    expect(mostSpokenTokens('')).toBe(42)
  })
})
