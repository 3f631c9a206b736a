import { screen, within } from '@testing-library/react'
import setUpUser from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import { setLanguage } from '../../lib/i18n.ts'
import { renderConsole } from '../../test/render-console.tsx'
import { CopyText } from './copy-text.tsx'

beforeEach(() => setLanguage('zh'))

const copy = async (secret: boolean, works: boolean): Promise<void> => {
  const user = setUpUser.setup()
  const write = vi.spyOn(navigator.clipboard, 'writeText')
  if (!works) write.mockRejectedValue(new Error('forbidden'))
  await renderConsole(<CopyText text="sk-1234" secret={secret} />, '/')
  await user.click(await screen.findByRole('button', { name: '复制' }))
}

it('says what was copied', async () => {
  await copy(false, true)
  expect(await screen.findByText('已复制：sk-1234')).toBeTruthy()
  expect(await navigator.clipboard.readText()).toBe('sk-1234')
})

it('repeats no secret', async () => {
  await copy(true, true)
  expect(await screen.findByText('已复制到剪贴板！')).toBeTruthy()
})

it('shows the text to be copied by hand where the browser forbids it', async () => {
  await copy(true, false)
  const dialog = await screen.findByRole('dialog', { name: '无法复制到剪贴板，请手动复制' })
  expect(within(dialog).getByRole<HTMLTextAreaElement>('textbox').value).toBe('sk-1234')
})
