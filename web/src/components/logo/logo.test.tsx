import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { render, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { Logo } from './logo.tsx'
import { makers } from './makers.ts'
import { findMark } from './marks.ts'

const fileOf = (of: Parameters<typeof findMark>[0]): string | undefined =>
  findMark(of)?.address.replace(/.*\/(\w+)\.svg.*/, '$1')

describe('marks', () => {
  it('are found by channel type, maker and model', () => {
    expect(fileOf({ type: 14 })).toBe('anthropic')
    expect(fileOf({ maker: 'google gemini' })).toBe('gemini')
    expect(fileOf({ model: 'claude-opus-5-5' })).toBe('claude')
    expect(fileOf({ model: 'o3-mini' })).toBe('openai')
    expect(fileOf({ model: 'us.anthropic.claude-sonnet-4-5-20250929-v1:0' })).toBe('claude')
    expect(fileOf({ model: 'deepseek-ai/DeepSeek-V3' })).toBe('deepseek')
    expect(fileOf({ model: 'stabilityai/unknown' })).toBe('stability')
  })

  it('are those of the maker where the model has none', () => {
    expect(fileOf({ maker: 'openai', model: 'my-own' })).toBe('openai')
    expect(fileOf({ maker: 'openai', model: 'claude-opus-5-5' })).toBe('claude')
  })

  it('are absent for what no maker is known of', () => {
    expect([findMark({ type: 8 }), findMark({ maker: 'custom' }), findMark({ model: 'constructor' })]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })

  it('are files, one for each maker, and no file stands about', () => {
    const files = ['colour', 'plain'].flatMap((folder) => readdirSync(join(import.meta.dirname, 'marks', folder)))
    expect(files.toSorted()).toEqual(makers.map(({ mark }) => `${mark}.svg`).toSorted())
  })
})

describe('a logo', () => {
  it('is a picture or a mask of our own server, and a monogram where none is known', async () => {
    const { container } = render(
      <>
        <Logo of={{ model: 'gemini-3' }} name="gemini-3" />
        <Logo of={{ type: 1 }} name="OpenAI" size={28} />
        <Logo of={{ type: 8 }} name="Custom" />
      </>,
    )
    await waitFor(() => expect(container.querySelector('img')).toHaveProperty('alt', ''))
    const [gemini, openai, custom] = container.children
    expect(gemini?.querySelector('img')?.getAttribute('src')).toMatch(/^\/.*gemini\.svg/)
    expect(openai?.querySelector('span')?.getAttribute('style')).toMatch(/mask-image: url\("?\/.*openai\.svg/)
    expect(custom?.textContent).toBe('Cu')
  })
})
