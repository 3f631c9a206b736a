import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { openTestSmtp } from '../server/test/support/mail/smtp.ts'
import { type Bench, hello, openBench } from './support/bench.ts'
import { completion, json } from './support/scripted-upstream.ts'

/** Notices of the whole product: from a call that costs something to a mail that arrives. */

let bench: Bench
let smtp: Awaited<ReturnType<typeof openTestSmtp>>

beforeAll(async () => {
  // The product does not know the test's authority, so the mails go in clear to this machine.
  smtp = await openTestSmtp({ hideSTARTTLS: true })
  bench = await openBench()
  const { SMTPPort, SMTPFrom } = smtp.settings()
  await bench.set('SMTPServer', '127.0.0.1')
  await bench.set('SMTPPort', SMTPPort)
  await bench.set('SMTPFrom', SMTPFrom)
  await bench.set('ServerAddress', 'https://gate.example')
})
afterAll(async () => {
  await bench?.close()
  await smtp?.close()
})
beforeEach(() => {
  smtp.mails.length = 0
})

it('warns a customer once when calls bring the balance below the threshold they chose', async () => {
  bench.upstream.answer = json(completion())
  const balance = await bench.books.balance(bench.customer.id)
  await bench.customer.must('PUT', '/api/user/setting', {
    notify_type: 'email',
    notification_email: 'customer@example.com',
    quota_warning_threshold: balance - 300,
  })
  // A call costs 275: the first leaves enough, the second does not.
  for (let calls = 0; calls < 3; calls += 1) await bench.ask({ body: hello })
  const [mail] = await smtp.arrived(1)
  expect(mail).toMatchObject({ to: ['customer@example.com'], subject: '您的额度即将用尽' })
  expect(mail?.body).toContain('https://gate.example/topup')
  await bench.books.balance(bench.customer.id)
  expect(smtp.mails).toHaveLength(1)
})

it('notifies the super admin when a channel is disabled, with the reason', async () => {
  await bench.set('AutomaticDisableChannelEnabled', true)
  await bench.operator.must('PUT', '/api/user/setting', { notification_email: 'root@example.com' })
  bench.upstream.answer = json({ error: { message: 'Incorrect API key <b>', code: 'invalid_api_key' } }, 401)
  await bench.ask({ body: hello })
  const [mail] = await smtp.arrived(1)
  expect(mail?.to).toEqual(['root@example.com'])
  expect(mail?.subject).toMatch(/^渠道「.+」（#1）已被禁用$/)
  expect(mail?.body).toContain('Incorrect API key &lt;b&gt;')
})
