import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { setLanguage } from '#web/lib/i18n.ts'
import { type FakeAnswer, fakeFetch, refused } from '#web/test/fake-fetch.ts'
import { renderConsole } from '#web/test/render-console.tsx'
import { ReleaseCheck } from './release-check.tsx'

beforeEach(() => setLanguage('zh'))

describe('the check for updates', () => {
  const check = async (answer: FakeAnswer) => {
    fakeFetch({ 'GET /api/system/releases': answer })
    await renderConsole(<ReleaseCheck />, '/setting')
    await screen.findByRole('button', { name: '检查更新' })
    await userEvent.click(screen.getByRole('button', { name: '检查更新' }))
  }

  it('shows what a newer version brings, cleaned', async () => {
    await check(() => ({
      configured: true,
      current: 'v0.1.0',
      newer: true,
      newest: {
        tag: 'v0.2.0',
        name: 'v0.2.0',
        notes: '**Faster**<img src=x onerror=alert(1)>',
        url: 'https://example.com/v0.2.0',
        published_at: 1_763_000_000,
      },
    }))
    expect(await screen.findByText('有新版本：v0.2.0')).toBeTruthy()
    expect((await screen.findByText('Faster')).tagName).toBe('STRONG')
    expect(document.querySelector('[onerror]')).toBeNull()
    expect(screen.getByRole('link', { name: /更新说明/ }).getAttribute('href')).toBe('https://example.com/v0.2.0')
  })

  it('says that this is the newest', async () => {
    await check(() => ({ configured: true, current: 'v0.1.0', newer: false, newest: null }))
    expect(await screen.findByText('没有找到正式版本')).toBeTruthy()
  })

  it('says when no list is set, and where to set one', async () => {
    await check(() => ({ configured: false, current: 'v0.1.0', newer: false, newest: null }))
    expect(await screen.findByText(/设置版本列表地址后才能检查更新/)).toBeTruthy()
    expect(screen.getByRole('link', { name: '前往设置' })).toBeTruthy()
  })

  it('says when it failed', async () => {
    await check(() => refused('检查更新失败，请稍后再试', 'releases_failed'))
    expect(await screen.findByText('检查更新失败，请稍后再试')).toBeTruthy()
  })
})
