import { expect, it, onTestFinished } from 'vitest'
import { openRightsSite, rootPassword } from '#server-test/rights/site.ts'

/** Answer to root who starts an import with this address in the console. */
const started = async (dsn: string) => {
  const site = await openRightsSite()
  onTestFinished(() => site.close())
  const signedIn = await site.ask({
    method: 'POST',
    path: '/api/user/login',
    body: { username: 'root', password: rootPassword },
  })
  const cookie = signedIn.headers.getSetCookie().map((one) => one.split(';')[0])
  const { json } = await site.ask({
    method: 'POST',
    path: '/api/site_import',
    headers: { cookie: cookie.join('; '), 'new-api-user': '1', origin: site.url },
    body: { product: 'one-api', dsn },
  })
  return json
}

it.each(['mysql://user:password@127.0.0.1:1/oneapi', 'user:pass/word@tcp(127.0.0.1:1)/oneapi?charset=utf8mb4'])(
  'takes the address of a server as the old gateway has it: %s',
  async (dsn) => {
    expect(await started(dsn)).toMatchObject({ success: true })
  },
)

it.each([
  '',
  '/data/one-api.db',
  'one-api.db',
  'sqlite:/data/one-api.db',
  'user:password@unix(/run/mysqld.sock)/oneapi',
])('takes nothing else, above all no place of its own machine: %j', async (dsn) => {
  expect(await started(dsn)).toMatchObject({ success: false, code: 'import_source_invalid' })
})
