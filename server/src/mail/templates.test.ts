import { expect, it } from 'vitest'
import { resetMail, testMail, verificationMail } from './templates.ts'

const reader = { to: 'a@example.com', systemName: 'Tollgate', language: 'en' } as const

it('writes every mail in the language of its reader, as HTML and as plain text', () => {
  const zh = { ...reader, language: 'zh' } as const
  expect(resetMail(zh, 'https://gate.test/x', 10).subject).toBe('重置 Tollgate 密码')
  expect(verificationMail(zh, 'abc123', 3).text).toContain('验证码 3 分钟内有效')
  for (const mail of [
    verificationMail(reader, 'abc123', 3),
    resetMail(reader, 'https://x.test', 10),
    testMail(reader),
  ]) {
    expect(mail.subject + mail.html + mail.text).not.toMatch(/[一-鿿]/)
    expect(mail.text).not.toContain('<')
  }
})

it('keeps names and links from becoming markup', () => {
  const url = 'https://gate.test/user/reset?email=a%40example.com&token="><script>'
  const { html, text } = resetMail({ ...reader, systemName: '<b>Gate</b>' }, url, 10)
  expect(html).not.toMatch(/<script|<b>/)
  expect(html).toContain('email=a%40example.com&amp;token=&quot;')
  expect(text).toContain(url)
})
