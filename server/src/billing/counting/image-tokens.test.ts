import { deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { imageSize } from './image-size.ts'
import { imageTokens } from './image-tokens.ts'

const chunk = (type: string, data: Buffer): Buffer => {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  return Buffer.concat([length, Buffer.from(type, 'latin1'), data, Buffer.alloc(4)])
}

const png = (width: number, height: number): string => {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', deflateSync(''))]).toString('base64')
}

const image = (width: number, height: number, detail = 'high') => ({
  url: `data:image/png;base64,${png(width, height)}`,
  detail,
})

describe('tokens of an image', () => {
  it.each([
    ['15: 768×768, 4 tiles', 'gpt-4o', image(1024, 1024), 765],
    ['15: the same for mini', 'gpt-4o-mini', image(1024, 1024), 25_501],
    ['16: 768×1536, 6 tiles', 'gpt-4o', image(2048, 4096), 1105],
    ['17: 768×1366, 6 tiles', 'gpt-4o', image(1920, 1080), 1105],
    ['18: 1 tile', 'gpt-4o', image(512, 512), 255],
    ['automatic detail is high', 'gpt-4o', image(512, 512, 'auto'), 255],
    ['low detail', 'gpt-4o', image(2048, 4096, 'low'), 85],
    ['glm-4v', 'glm-4v', image(2048, 4096), 1047],
    ['a remote image is not fetched', 'gpt-4o', { url: 'https://example.com/a.png', detail: '' }, 255],
    ['a broken image', 'gpt-4o', { url: 'data:image/png;base64,AAAA', detail: '' }, 255],
    ['an absurd header', 'gpt-4o', image(4_000_000_000, 4_000_000_000), 255],
    ['Claude counts in its own way', 'claude-3-opus', image(2048, 4096), 255],
  ])('%s', (_, model, part, tokens) => expect(imageTokens(model, part)).toBe(tokens))
})

describe('sizes', () => {
  const jpeg = Buffer.concat([
    Buffer.from('ffd8', 'hex'),
    Buffer.from('ffe00010', 'hex'),
    Buffer.alloc(14),
    Buffer.from('ffc4000400ff', 'hex'),
    Buffer.from('ffffc2001108012c01900301', 'hex'),
    Buffer.alloc(8),
  ])
  const webp = (kind: string, data: string): Buffer =>
    Buffer.concat([
      Buffer.from(`RIFF\0\0\0\0WEBP${kind}\0\0\0\0`, 'latin1'),
      Buffer.from(data, 'hex'),
      Buffer.alloc(16),
    ])
  const gif = Buffer.concat([Buffer.from('GIF89a', 'latin1'), Buffer.from('90012c01', 'hex')])

  it.each([
    ['PNG', Buffer.from(png(400, 300), 'base64')],
    ['JPEG', jpeg],
    ['GIF', gif],
    ['WebP, extended', webp('VP8X', '000000008f01002b0100')],
    ['WebP, lossless', webp('VP8L', '2f8fc14a00')],
    ['WebP, lossy', webp('VP8 ', '0000009d012a90012c01')],
  ])('are read from %s', (_, bytes) => {
    expect(imageSize(bytes.toString('base64'))).toEqual({ width: 400, height: 300 })
  })

  it.each(['', 'AAAA', Buffer.from('ffd8ffe00000', 'hex').toString('base64'), 'not base64 at all'])(
    'are not read from %j',
    (base64) => expect(imageSize(base64)).toBeUndefined(),
  )
})
