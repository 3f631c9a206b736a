import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, it, vi } from 'vitest'
import { renderConsole } from '../../test/render-console.tsx'
import { Calendar } from './calendar.tsx'
import { MomentField } from './moment-field.tsx'
import { OwnRange } from './own-range.tsx'

const at = (text: string): number => new Date(text).getTime() / 1000
const range = { from: at('2026-11-20T08:00'), to: at('2026-11-20T09:00') }

it('makes a range of two picked days, whichever comes first', async () => {
  const onApply = vi.fn()
  await renderConsole(<OwnRange range={range} onApply={onApply} />)
  await userEvent.click(screen.getByRole('button', { name: /11 月 18 日/ }))
  await userEvent.click(screen.getByRole('button', { name: /11 月 12 日/ }))
  await userEvent.click(screen.getByRole('button', { name: '应用' }))
  expect(onApply).toHaveBeenCalledWith({ from: at('2026-11-12T00:00'), to: at('2026-11-18T23:59') })
})

it('refuses what is no moment, and leaves an empty end open', async () => {
  const onApply = vi.fn()
  await renderConsole(<OwnRange range={range} onApply={onApply} />)
  const to = screen.getByLabelText('结束')
  await userEvent.clear(to)
  await userEvent.type(to, '31 April')
  await userEvent.click(screen.getByRole('button', { name: '应用' }))
  expect(screen.getByText(/^格式/)).toBeTruthy()
  expect(onApply).not.toHaveBeenCalled()
  await userEvent.clear(to)
  await userEvent.click(screen.getByRole('button', { name: '应用' }))
  expect(onApply).toHaveBeenCalledWith({ from: range.from, to: undefined })
})

it('moves by days, weeks and months with the keyboard', async () => {
  const onPick = vi.fn()
  await renderConsole(<Calendar first="2026-11-20" last="2026-11-20" onPick={onPick} />)
  screen.getByRole('button', { pressed: true }).focus()
  await userEvent.keyboard('{ArrowRight}{ArrowDown}{Enter}')
  expect(onPick).toHaveBeenLastCalledWith('2026-11-28')
  await userEvent.keyboard('{PageDown}{Enter}')
  expect(onPick).toHaveBeenLastCalledWith('2026-12-01')
})

it('keeps the time that was typed when another day is picked', async () => {
  const Form = () => {
    const [text, setText] = useState('2026-11-20 18:30')
    return <MomentField label="到期" value={text} onChange={setText} />
  }
  await renderConsole(<Form />)
  await userEvent.click(screen.getByRole('button', { name: /到期/ }))
  await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: /11 月 28 日/ }))
  expect(screen.getByLabelText<HTMLInputElement>('到期').value).toBe('2026-11-28 18:30')
})
