import { fireEvent } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { statusStore } from '../lib/status.ts'
import { renderConsole } from '../test/render-console.tsx'
import { Mark } from './brand.tsx'

const assumed = statusStore.get()
afterEach(() => statusStore.set(assumed))

it('shows the operator’s logo, and its own mark where that cannot be loaded', async () => {
  statusStore.set({ ...assumed, logo: 'https://logo.example/a.png' })
  const { container } = await renderConsole(<Mark />)
  const logo = container.querySelector('img')
  expect(logo?.getAttribute('src')).toBe('https://logo.example/a.png')
  if (logo) fireEvent.error(logo)
  expect(container.querySelector('img')).toBeNull()
  expect(container.querySelector('svg')).not.toBeNull()
})
