import { expect, it } from 'vitest'
import { callKinds } from './calls/call-kinds.ts'
import { requestOf } from './calls/requests.ts'
import { codeSample } from './code-samples.ts'
import type { ChatMessage } from './conversation/message.ts'
import { defaultSettings } from './settings.ts'

const question: ChatMessage = {
  id: 'q',
  role: 'user',
  content: 'true null',
  createAt: 0,
  status: 'complete',
  parent: null,
}

it('prints a request as Python without touching its texts', () => {
  const code = codeSample('python', 'https://x/v1', requestOf('chat', defaultSettings, [question]))
  expect(code).toContain('"stream": True')
  expect(code).toContain('"true null"')
  expect(code).not.toContain('group')
})

it('prints no pages of picture data', () => {
  const images = [`data:image/png;base64,${'A'.repeat(5000)}`]
  const request = requestOf('chat', defaultSettings, [{ ...question, images }])
  expect(codeSample('curl', 'https://x/v1', request)).toContain('data:image/png;base64,…')
})

it.each(callKinds)('prints the address of a call of kind %s', (kind) => {
  const request = requestOf(kind, defaultSettings, [question])
  expect(codeSample('curl', 'https://x/v1', request)).toContain(`curl https://x${request.path} `)
})
