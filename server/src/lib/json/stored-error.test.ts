import { expect, it } from 'vitest'
import { AppError } from '../app-error.ts'
import { printedError, readError } from './stored-error.ts'

it('stores an error of ours by code and parameters, for readers of every language', () => {
  const stored = printedError(new AppError('address_blocked', { params: { host: '10.0.0.1', extra: 'hunter2' } }), 500)
  expect(stored).not.toContain('hunter2')
  const fields = { code: 'address_blocked', params: { host: '10.0.0.1' } }
  expect(readError(stored, 'zh')).toEqual({ text: '地址 10.0.0.1 不允许访问', ...fields })
  expect(readError(stored, 'en')).toEqual({ text: 'Address 10.0.0.1 is not allowed', ...fields })
})

it('stores any other error by its message, within the bound', () => {
  expect(readError(printedError(new Error('HTTP 302'), 500), 'zh')).toEqual({ text: 'HTTP 302' })
  expect(printedError(new Error('x'.repeat(900)), 300).length).toBeLessThanOrEqual(301)
  const long = new AppError('group_unknown', { params: { group: 'g'.repeat(400) } })
  expect(readError(printedError(long, 100), 'en').text).toMatch(/^Group g+/)
})

it.each(['', '{}', '{"code":"constructor","params":{}}', '{"code":"not_found"}'])('reads %j as a text', (text) =>
  expect(readError(text, 'en')).toEqual({ text }),
)
