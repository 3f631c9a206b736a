import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { storeUser } from '#web/lib/api/session.ts'
import { setLanguage } from '#web/lib/i18n.ts'
import { fakeFetch, refused } from '#web/test/fake-fetch.ts'
import { renderConsole } from '#web/test/render-console.tsx'
import { Notes } from './notes.tsx'

beforeEach(() => {
  setLanguage('zh')
  storeUser({ id: 1, username: 'root', display_name: '', role: 100, status: 1, group: '' })
})

const note = { id: 1, text: 'pays by invoice', author_id: 1, author_name: 'root', created_time: 1_900_000_000 }

it('notes are written and deleted by administrators; a failed one stays in its field', async () => {
  let notes = [note]
  let refuses = true
  const sent = fakeFetch({
    'GET /api/user/7/notes': () => ({ items: notes, total: notes.length, page: 1, page_size: 100 }),
    'POST /api/user/7/notes': ({ body }) => {
      if (refuses) return refused('the database is away')
      const added = { ...note, id: 2, text: (body as { text: string }).text }
      notes = [added, ...notes]
      return added
    },
    'DELETE /api/user/7/notes/1': () => {
      notes = notes.filter(({ id }) => id !== 1)
      return null
    },
  })
  await renderConsole(<Notes about="7" />, '/user/7')
  expect(await screen.findByText('pays by invoice')).toBeTruthy()
  const field = screen.getByRole('textbox', { name: '关于该用户的备注' })
  await userEvent.type(field, 'asked for a refund')
  await userEvent.click(screen.getByRole('button', { name: '添加备注' }))
  expect((await screen.findByRole('alert')).textContent).toContain('the database is away')
  expect((field as HTMLTextAreaElement).value).toBe('asked for a refund')
  refuses = false
  await userEvent.click(screen.getByRole('button', { name: '添加备注' }))
  await screen.findByText('asked for a refund', { selector: 'p' })
  expect((field as HTMLTextAreaElement).value).toBe('')
  await userEvent.click(screen.getAllByRole('button', { name: '删除备注' })[1] as HTMLElement)
  await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: '删除备注' }))
  await expect.poll(() => screen.queryByText('pays by invoice')).toBeNull()
  expect(sent.some(({ method }) => method === 'DELETE')).toBe(true)
})
