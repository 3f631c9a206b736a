import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { setLanguage } from '#web/lib/i18n.ts'
import { renderConsole } from '#web/test/render-console.tsx'
import { DeadlineOnly } from './deadline-only.tsx'

it('switches a key to calls with a deadline, and says how they state it', async () => {
  setLanguage('en')
  const values: boolean[] = []
  await renderConsole(<DeadlineOnly flag={{ value: false, set: (value) => void values.push(value) }} />, '/token')
  const input = await screen.findByRole('switch', { name: /Only calls with a deadline/ })
  expect(screen.getByText(/X-Tollgate-Deadline or metadata\.deadline/)).toBeTruthy()
  await userEvent.click(input)
  expect(values).toEqual([true])
})
